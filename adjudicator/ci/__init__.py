"""The work of the workflows: pull requests, issues and deadlines. All logic is here; the workflows contain none."""
