"""The workflows' work on GitHub: pull requests and deadlines. All logic is here; the workflows contain none."""
