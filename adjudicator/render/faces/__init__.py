"""The typefaces of pictures that are made into pixels here, each with its licence; `vendor/faces/README.md` says how they are made."""
