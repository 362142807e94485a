"""Family trees: everybody appears in words, and every text stays on its card and off all others, on a phone as well."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.core.contract.pages import Family, Kin, Kinship, Side
from adjudicator.render import kinship
from adjudicator.render.kinship import CARD, NAME, NOTE, PAD, RIM, SMALL, WIDTH
from adjudicator.render.text import REGULAR, width, wrap
from tests.conftest import Paper, examples, first_of

SVG = "{http://www.w3.org/2000/svg}"
SEATS = ("Marot", "Fleurs", "Pape", "TCK", "Alliance", "Lys d’Or", "Brabant", "Orage", "Ixelles", "Vaux")
SIDES = {name: Side(slot, name, letter) for slot, (name, letter) in enumerate(zip(SEATS, "MFPTALBOIV", strict=True), 1)}
NAMES = (
    "Ada", "Guillaume de Beaulie", "Bo", "Marguerite", "Leander", "Konstantin Wolfsburg", "Cy", "W" * 20,
    "Élise", "Isabeau of the Marsh", "محمد", "Zoë & <Leo>",
)  # fmt: skip
LONG = "Queen of the realm since Night 12, after the death of Adamus"
NOTES = ("", "died in Night 7, by the vote", LONG, "heir of Leander, who died in Night 7; took the place", "m" * 60)


def couples(count: int) -> tuple[Family, ...]:
    """Couples with two children each, with every possible note."""
    families = []
    for index in range(count):
        older, younger = NAMES[2 * index % 12], NAMES[(2 * index + 1) % 12]
        first, second = SEATS[2 * index % 10], SEATS[(2 * index + 1) % 10]
        families.append(
            Family(
                (
                    Kin(older, first, NOTES[index % 5], dead=index % 3 == 1),
                    Kin(younger, second, NOTES[(index + 3) % 5], held="Marot" if index == 2 else None),
                ),
                f"Night {index + 2}",
                (
                    Kin(f"Junior {older}"[:20], first, NOTES[(index + 2) % 5], held="Lys d’Or"),
                    Kin(f"Young {younger}"[:20], second, NOTES[index % 2], dead=index == 0, other=first),
                ),
            )
        )
    return tuple(families)


def unmarried(count: int) -> tuple[Family, ...]:
    return tuple(
        Family(
            (
                Kin(
                    NAMES[index % 12],
                    None if index % 5 == 4 else SEATS[index % 10],
                    NOTES[index % 5],
                    dead=index % 4 == 3,
                    held="Pape" if index % 6 == 2 else None,
                ),
            ),
            "",
            (),
        )
        for index in range(count)
    )


TREES = {
    "six couples": Kinship("Families", couples(6)),
    "nobody married": Kinship("Families", unmarried(12)),
    "nobody": Kinship("Families", ()),
    "of everything": Kinship(
        "Families",
        (
            Family(
                (
                    Kin("Leander", "Pape", "died in Night 7, by the vote; Cy took the place", dead=True),
                    Kin("Eve", "TCK"),
                ),
                "the Night after the long siege of the northern fortress",
                tuple(Kin(name, "Pape", other="TCK") for name in ("Cy", "Isabeau of the Marsh", "Bo", "Dee", "Flo")),
            ),
            Family(
                (Kin("Ada", "Fleurs"), Kin("A stranger", None)), "the Night after the long siege of the fortress", ()
            ),
            Family((Kin("Jo", "gone"), Kin("Al", "TCK", dead=True, held="elsewhere")), "", (Kin("Gus", None, LONG),)),
            Family((Kin("Ida", "Alliance"),), "", (Kin("Foundling", None, "adopted in Night 2"),)),
            *unmarried(2),
        ),
    ),
}


def words_of(tree: Kinship) -> tuple[str, list[str]]:
    """The description, and the cards' tooltips."""
    root = ET.fromstring(kinship(tree, SIDES))
    return root.findtext(f"{SVG}desc") or "", [
        title for group in root.findall(f"{SVG}g") if (title := group.findtext(f"{SVG}title"))
    ]


def test_a_family_tree_is_described_in_words() -> None:
    tree = Kinship(
        "Houses",
        (
            Family(
                (Kin("Ada", "Marot", "died in Night 7", dead=True), Kin("Bo", "Pape", held="TCK")),
                "Night 3",
                (Kin("Cy", "Marot", "heir of Ada", other="Pape"), Kin("Dee", None)),
            ),
            Family((Kin("Eve", "TCK", "hostage of Fleurs, since Night 2", held="Fleurs"),), "", ()),
            Family((Kin("Flo", "Pape"), Kin("Gus", "Orage")), "Night 9", ()),
            Family((Kin("Hal", "Vaux"),), "", (Kin("Ida", "Vaux"),)),
            Family((Kin("Jo", None),), "", ()),
        ),
    )
    desc, titles = words_of(tree)
    assert desc == (
        "Houses. Ada of Marot (dead; died in Night 7) and Bo of Pape (hostage of TCK), married in Night 3; "
        "children: Cy of Marot and Pape (heir of Ada), Dee of unknown side. "
        "Flo of Pape and Gus of Orage, married in Night 9; no children. "
        "Hal of Vaux; children: Ida of Vaux. "
        "Never married: Eve of TCK (hostage of Fleurs, since Night 2), Jo of unknown side."
    )
    assert titles == [
        "Ada of Marot (dead; died in Night 7)", "Bo of Pape (hostage of TCK)", "Cy of Marot and Pape (heir of Ada)",
        "Dee of unknown side", "Flo of Pape", "Gus of Orage", "Hal of Vaux", "Ida of Vaux",
        "Eve of TCK (hostage of Fleurs, since Night 2)", "Jo of unknown side",
    ]  # fmt: skip
    # A note may name the holder or leave it out.
    longer = Kinship("Houses", (Family((Kin("Eve", "TCK", "once hostage of Papella", held="Pape"),), "", ()),))
    assert words_of(longer)[1] == ["Eve of TCK (hostage of Pape; once hostage of Papella)"]
    assert words_of(Kinship("Houses", ()))[0] == "Houses. Nobody yet."


def test_nothing_is_shown_only_by_colour() -> None:
    root = ET.fromstring(kinship(TREES["of everything"], SIDES))
    cards = {group.findtext(f"{SVG}title", "").split(" of ")[0]: group for group in root.findall(f"{SVG}g")}

    def texts(name: str, kind: str) -> list[str | None]:
        return [text.text for text in cards[name].iter(f"{SVG}text") if text.get("class") == kind]

    def shapes(name: str) -> set[str | None]:
        return {shape.get("class") for shape in cards[name].iter(f"{SVG}rect")}

    assert texts("Cy", "dl") == ["P", "T"]
    assert texts("A stranger", "dl") == ["?"]
    assert texts("Leander", "nm") == ["†", "Leander"]
    assert "ol de" in shapes("Leander")
    assert "ol de" not in shapes("Eve")
    assert texts("Al", "nt") == ["hostage of elsewhere"]
    assert {"ca", "cb"} <= shapes("Al")
    key = [text.text for group in root.findall(f"{SVG}g")[-9:] for text in group.iter(f"{SVG}text")]
    assert key[-3:] == ["unknown", "† dead", "hostage"]
    assert {"Pape", "TCK", "Alliance"} <= set(key)
    assert "Ixelles" not in key


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES)
def test_the_same_tree_gives_the_same_bytes(tree: Kinship) -> None:
    text = kinship(tree, SIDES)
    assert text == kinship(tree, SIDES)
    # All numbers outside the style sheet are whole, and two pictures on one page cannot share an id.
    assert not re.search(r"\d\.\d", text[text.index("</style>") :].replace("<title>", ""))
    tag = re.search(r'<svg [^>]*class="cm ch kn (p[0-9a-f]+)"', text)
    assert set(re.findall(r' id="([^"]*)"', text)) <= ({f"{tag[1]}-9", f"{tag[1]}-10"} if tag else set())
    assert ' id="' not in kinship(tree, dict(list(SIDES.items())[:8]))


def test_lines_break_between_words_and_end_in_dots() -> None:
    assert wrap("", 19, 300, 3) == ()
    assert wrap("a bc", 10, 1000, 2) == ("a bc",)
    assert wrap("Konstantin Wolfsburg", 21, 200, 2) == ("Konstantin", "Wolfsburg")
    assert "".join(wrap("W" * 20, 21, 268, 3)) == "W" * 20
    lines = wrap("word " * 40, 19, 300, 3)
    assert len(lines) == 3
    assert lines[-1].endswith("word…")


@pytest.mark.parametrize(("card", "most"), [(CARD, 3), (SMALL, 4)])
def test_notes_of_sixty_characters_and_names_of_twenty_are_shown_whole(card: int, most: int) -> None:
    for note in (LONG, "executed in Night 12 by the vote of everyone, for his treason"[:60]):
        assert " ".join(wrap(note, NOTE * REGULAR, card - 2 * PAD - 4, most)) == note
    for name in NAMES:
        if name != "W" * 20:
            assert " ".join(wrap(name, NAME, card - 2 * PAD - 36, 3)) == name


PLAIN = st.text(st.characters(exclude_categories=("Cc", "Cs", "Cn", "Zl", "Zp")), max_size=70)
"""Text that a sheet may hold; its reader rejects control characters."""
SOMEONE = st.sampled_from((*SEATS, "gone", None))
KIN = st.builds(Kin, PLAIN, SOMEONE, PLAIN, st.booleans(), SOMEONE, SOMEONE)
FAMILY = st.builds(
    Family, st.lists(KIN, min_size=1, max_size=2).map(tuple), PLAIN, st.lists(KIN, max_size=5).map(tuple)
)


@pytest.mark.slow
@examples(40)
@given(st.builds(Kinship, PLAIN, st.lists(FAMILY, max_size=5).map(tuple)))
def test_any_tree_is_well_formed_and_names_everyone(tree: Kinship) -> None:
    desc, titles = words_of(tree)
    people = [kin for family in tree.families for kin in (*family.parents, *family.children)]
    assert len(titles) == len(people)
    for kin in people:
        assert kin.name in desc
        assert any(title.startswith(f"{kin.name} of ") for title in titles)
    root = ET.fromstring(kinship(tree, SIDES))
    high = int((root.get("viewBox") or "").split()[-1])
    patterns = {id(node) for node in root.find(f"{SVG}defs").iter()}  # type: ignore[union-attr]  # there is one
    for rect in root.iter(f"{SVG}rect"):
        if id(rect) in patterns:
            continue
        x, y, wide, tall = (int(rect.get(name) or "") for name in ("x", "y", "width", "height"))
        assert x >= RIM
        assert x + wide <= WIDTH - RIM
        assert y > 0
        assert y + tall <= high


# In a browser ------------------------------------------------------------------------------------------------------


MEASURED = """
() => {
  const svg = document.querySelector("svg.kn");
  const box = (node) => {
    const {left, right, top, bottom} = node.getBoundingClientRect();
    return {left, right, top, bottom};
  };
  const cards = [...svg.querySelectorAll("rect.cd")];
  return {
    picture: box(svg),
    cards: cards.map(box),
    lines: [...svg.querySelectorAll(".ri, .li")].flatMap((line) =>
      Array.from({length: Math.ceil(line.getTotalLength() / 2)}, (_, index) => {
        const {x, y} = line.getPointAtLength(2 * index).matrixTransform(line.getScreenCTM());
        return {left: x - 1, right: x + 1, top: y - 1, bottom: y + 1};
      })),
    texts: [...svg.querySelectorAll("text")].map((text) => ({
      ...box(text), words: text.textContent, kind: text.getAttribute("class"),
      size: parseFloat(getComputedStyle(text).fontSize) * svg.getScreenCTM().a,
      card: cards.findIndex((card) => card.parentNode.contains(text) && card.parentNode.querySelector("title")),
    })),
  };
}
"""


Box = dict[str, float]


def shared(one: Box, two: Box) -> bool:
    """True if two boxes overlap by more than a hair; the boxes of texts are whole lines."""
    across = min(one["right"], two["right"]) - max(one["left"], two["left"])
    down = min(one["bottom"], two["bottom"]) - max(one["top"], two["top"])
    return across > 0.5 and down > 0.5


def within(one: Box, two: Box) -> bool:
    return (
        two["left"] <= one["left"]
        and one["right"] <= two["right"]
        and two["top"] <= one["top"]
        and one["bottom"] <= two["bottom"]
    )


@pytest.mark.slow
@pytest.mark.parametrize("wide", first_of([390, 760], 1))
@pytest.mark.parametrize("tree", TREES.values(), ids=TREES)
def test_no_text_overlaps_anything(paper: Paper, tree: Kinship, wide: int) -> None:
    page = paper(wide)
    page.set_content(f"<!doctype html><style>body{{margin:0}}</style>{kinship(tree, SIDES)}")
    seen: Any = page.evaluate(MEASURED)
    texts, cards = seen["texts"], seen["cards"]
    assert texts
    people = sum(len(family.parents) + len(family.children) for family in tree.families)
    # The key has a small separate card if somebody is dead.
    assert len(cards) - people in {0, 1}
    for index, text in enumerate(texts):
        assert text["size"] >= 9, text
        # Letters fill about the middle two thirds of their line.
        cut = (text["bottom"] - text["top"]) * 0.1
        text["top"] += cut
        text["bottom"] -= cut
        assert within(text, seen["picture"]), text
        for other in texts[:index]:
            assert not shared(text, other), (text, other)
        for number, card in enumerate(cards):
            assert within(text, card) if number == text["card"] else not shared(text, card), (text, card)
        assert not any(shared(text, point) for point in seen["lines"]), text
    for index, card in enumerate(cards):
        assert not any(shared(card, other) for other in cards[:index])


@pytest.mark.slow
def test_letters_are_no_wider_than_estimated(paper: Paper) -> None:
    letters = [chr(code) for code in range(0x20, 0x180) if chr(code).isprintable()] + list("‘’“”–—…†")
    page = paper(1280)
    measured = page.evaluate(
        """(letters) => {
          const pen = document.createElement("canvas").getContext("2d");
          return [400, 700].map((weight) => {
            pen.font = `${weight} 100px 'Noto Sans',Roboto,'DejaVu Sans',Arial,sans-serif`;
            const none = pen.measureText("nn").width;
            return letters.map((letter) => pen.measureText(`n${letter}n`).width - none);
          });
        }""",
        letters,
    )
    for factor, widths in zip((REGULAR, 1), measured, strict=True):
        assert [
            letter for letter, wide in zip(letters, widths, strict=True) if wide > width(letter, 100 * factor) + 0.5
        ] == []
