"""HTML, always escaped: text from a player stays text and never becomes markup."""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup, escape

VOID = frozenset({"img", "input", "br", "link", "meta"})


def tag(name: str, /, *children: object, **attributes: object) -> Markup:
    """An element. Children are escaped unless they are Markup; those that are None are left out, and so are attributes that are None or False.

    Attribute names lose a trailing underscore (`class_`) and get hyphens for underscores (`data_turn`).
    """
    parts = [f"<{name}"]
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        attribute = key.rstrip("_").replace("_", "-")
        parts.append(f" {attribute}" if value is True else f' {attribute}="{escape(value)}"')
    parts.append(">")
    if name not in VOID:
        parts.extend(str(escape(child)) for child in children if child is not None)
        parts.append(f"</{name}>")
    return Markup("".join(parts))  # noqa: S704 - every part is escaped above


def join(parts: Iterable[object], between: str = "") -> Markup:
    """The parts in one string, each escaped unless it is Markup."""
    return Markup(escape(between)).join(escape(part) for part in parts)  # noqa: S704 - escaped


def link(text: object, href: str, **attributes: object) -> Markup:
    """A link."""
    return tag("a", text, href=href, **attributes)


def mark_code(text: str) -> Markup:
    """A sentence with the text between backticks marked as code."""
    return join(tag("code", part) if at % 2 else part for at, part in enumerate(text.split("`")))


def inline_svg(svg: str) -> Markup:
    """An SVG from our renderer, used without escaping."""
    return Markup(svg.strip())  # noqa: S704 - written by adjudicator.render, which escapes


def item_list(items: Iterable[object], *, ordered: bool = False, **attributes: object) -> Markup:
    """A list with one entry for each of `items`."""
    return tag("ol" if ordered else "ul", join(tag("li", item) for item in items), **attributes)


def table(
    head: Iterable[object], rows: Iterable[Iterable[object]], caption: str | None = None, **attributes: object
) -> Markup:
    """A table that scrolls sideways if it is too wide for the page."""
    body = join(tag("tr", join(tag("td", cell) for cell in row)) for row in rows)
    top = tag("thead", tag("tr", join(tag("th", cell, scope="col") for cell in head)))
    name = tag("caption", caption) if caption else None
    inner = tag("table", name, top, tag("tbody", body), **attributes)
    return tag("div", inner, class_="courtly-table", tabindex="0", role="group", aria_label=caption or "Table")
