"""The tools that drew the shipped boards: coastlines and borders make a board's outlines.yaml. Run by `nox -s atlas -- BOARD`."""
