"""Pages for readers, as HTML fragments. They know nothing of any particular game and, outside the folder `mkdocs`, nothing of MkDocs.

Every function that makes a page takes the path back to the site's root (`../../`), because pages are read from files as
well as from servers.
"""
