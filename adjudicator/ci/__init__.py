"""Pull requests and deadlines on GitHub: what the workflows run. All logic is here; the workflows hold none."""
