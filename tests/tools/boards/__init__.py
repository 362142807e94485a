"""Tools that draw the shipped boards: coastlines and borders make outlines.yaml. Run by `nox -s atlas -- BOARD`."""
