"""The work of the workflows: take in pull requests and issues, and judge turns at deadlines. All logic is here; the workflows have none."""
