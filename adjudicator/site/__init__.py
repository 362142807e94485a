"""Pages for readers, as HTML fragments: they know neither MkDocs (but in its folder) nor any game.

Every function that makes a page takes the way back to the site's root (`../../`), because pages are read from files as well
as from servers.
"""
