"""Every file that is read or written: one floor, through which no link leads."""
