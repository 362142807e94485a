"""Pages for readers, as HTML fragments. They know nothing of MkDocs (except in its folder) and nothing of any particular game.

Every function that makes a page takes the path back to the site's root (`../../`), because pages are read from files as
well as from servers.
"""
