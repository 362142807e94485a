"""Games as other programs save or print them: each module reads one kind of text into phases, which `records` judges again."""
