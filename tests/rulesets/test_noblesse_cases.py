"""Noblesse's worked examples, its data files, and the rules about them."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from markupsafe import escape

from adjudicator.core.contract.rulebook import rules_in
from adjudicator.core.secrets.dice import NamedDice
from adjudicator.core.text.problems import Problems
from adjudicator.rulesets.noblesse import RULESET, prose
from adjudicator.rulesets.noblesse.acts import ACTS
from adjudicator.rulesets.noblesse.battle import Strength, fight
from adjudicator.rulesets.noblesse.day import found_courts, setup
from adjudicator.rulesets.noblesse.events import Battle, BattleSide, Raised
from adjudicator.rulesets.noblesse.examples import case_files, cast, position_of, sheets_of
from adjudicator.rulesets.noblesse.night import resolve_night
from adjudicator.rulesets.noblesse.orders import Order, Sheet, Unreadable, reader_of
from adjudicator.rulesets.noblesse.picture import draw
from adjudicator.rulesets.noblesse.position import Heir, Phase, Position, Settings, Unit
from adjudicator.rulesets.noblesse.resolve import resolve
from adjudicator.rulesets.noblesse.scenario import DATA, Stock, load_scenario, scenario_named, tables
from adjudicator.rulesets.noblesse.treaties import EXPIRATIONS, PENALTIES, PROMISE_FORMS, PROMISES, PromiseForm
from adjudicator.rulesets.noblesse.victory import supreme
from adjudicator.rulesets.noblesse.work import Work
from adjudicator.site.rulebook import with_anchors, with_examples
from tests.rulesets.worked import Played, by_name, ending
from tests.tools.tables import with_all_tables

DICE = NamedDice(b"examples")
FARNA = scenario_named("farna")


CASES = by_name(case_files())
BOOK = (RULESET.folder / "RULES.md").read_text(encoding="utf-8")
RULE_IDS = rules_in(BOOK)


def held(position: Position) -> dict[str, str]:
    """Controller of each estate, except for homes that their own players control."""
    own = {player.home: seat for seat, player in position.players.items()}
    return {
        at: holding.by
        for at, holding in position.estates.items()
        if holding.by is not None and holding.by != own.get(at)
    }


def posted(position: Position) -> dict[str, tuple[str, ...]]:
    """Where each player's Courtiers are, except those at court."""
    posts = {
        seat: tuple(
            " ".join(word for word in (courtier.post, courtier.what, courtier.at) if word)
            for courtier in player.courtiers
            if courtier.post != "court"
        )
        for seat, player in position.players.items()
    }
    return {seat: lines for seat, lines in posts.items() if lines}


def bonds(position: Position) -> dict[str, str]:
    """The state of each treaty."""
    return {name: treaty.status for name, treaty in position.treaties.items()}


@pytest.mark.parametrize("name", CASES)
def test_each_worked_example_has_its_whole_outcome(name: str) -> None:
    case = CASES[name]
    position = position_of(case)
    done = resolve(position, sheets_of(case), DICE)
    assert [(v.seat, v.order, v.result, v.reason, v.rule) for v in done.verdicts] == [
        (v.seat, v.order, v.result, v.reason, v.rule) for v in case.verdicts
    ]
    assert [prose.tell(position, event) for event in done.events] == list(case.events)
    after, expected = done.position, case.after
    units = {unit: standing.at for unit, standing in after.units.items()}
    assert units == (
        expected.units if expected.units is not None else {u: standing.at for u, standing in position.units.items()}
    )
    for key, of in (("control", held), ("posts", posted), ("treaties", bonds)):
        said = getattr(expected, key)
        assert of(after) == (said if said is not None else of(position)), key
    stocks = {seat: player.stock for seat, player in after.players.items() if player.stock}
    had = {seat: player.stock for seat, player in position.players.items() if player.stock}
    assert stocks == (expected.stocks if expected.stocks is not None else had)
    gone = [seat for seat, player in after.players.items() if not player.alive]
    assert gone == list(expected.dead if expected.dead is not None else case.dead)
    assert ending(RULESET, Played(case, position, done)) == case.ended


def test_the_rulebook_shows_each_example_once() -> None:
    """Each box appears once, under the first rule that its case cites."""
    assert [example.id for example in RULESET.examples()] == list(CASES)
    book = with_anchors(with_examples(BOOK, RULESET))
    shown = re.findall(r"(?ms)^<a id=\"([a-z0-9-]+)\"|^<details.*?<summary>Example: (.*?)</summary>", book)
    under: dict[str, list[str]] = {}
    for rule, title in shown:
        if rule:
            last = rule.upper()
        else:
            under.setdefault(last, []).append(title)
    wanted: dict[str, list[str]] = {}
    for case in CASES.values():
        wanted.setdefault(case.rules[0], []).append(str(escape(case.title)))
    assert under == wanted


def test_cases_cover_the_rulebook() -> None:
    """Every mechanic has a case; the rules that no case cites are about the scenario's data, or about talk."""
    cited = {rule for case in CASES.values() for rule in case.rules}
    print(f"{len(cited)} of {len(RULE_IDS)} rules are cited by {len(CASES)} examples")
    assert cited <= set(RULE_IDS)
    assert len(CASES) >= 250
    assert [rule for rule in RULE_IDS if rule not in cited] == [
        "NB-F-1", "NB-L-1", "NB-L-2", "NB-L-8", "NB-W-1", "NB-Y-8",
    ]  # fmt: skip
    for name, case in CASES.items():
        assert case.title, name
        assert case.about, name
        assert not case.title.endswith("."), name


# Data files --------------------------------------------------------------------------------------------------------


def test_formations_match_the_rulebook() -> None:
    """NB-B-1, NB-B-2, NB-B-3, NB-B-4, NB-B-8."""
    formations = {
        name: (
            formation.price,
            formation.officer,
            formation.flank,
            formation.centre,
            formation.reserve,
            formation.moves,
        )
        for name, formation in tables().formations.items()
    }
    assert formations == {
        "regiment": (2, 1, 2, 3, 0, True),
        "brigade": (3, 1, 2, 5, 2, True),
        "division": (4, 1, 4, 7, 2, True),
        "garrison": (2, 1, 0, 5, 3, False),
    }


def test_a_tier_is_the_sum_of_all_values() -> None:
    """NB-B-13, NB-B-14."""
    assert {name: company.tier for name, company in FARNA.companies.items()} == {
        "Sergeant": 1, "Captain": 3, "Colonel": 5, "Light Horse": 5, "Lancers": 6, "Vanguard": 6, "Outriders": 4,
        "Harassers": 4, "Militia": 3, "Men-at-arms": 6, "Pikes": 5, "Halberds": 6, "Heavy Foot": 6, "Crossbows": 3,
        "Longbows": 4, "Sappers": 4, "Levy Office": 2, "Notaries": 2, "Tithe Barn": 2,
    }  # fmt: skip
    assert all(role.company.tier <= 8 for role in FARNA.roles.values())


def test_incomes_follow_the_rule_of_the_scenario() -> None:
    for row in range(10):
        for column in range(10):
            points = {1: 5, 3: 4, 5: 3, 7: 2, 9: 2}[max(abs(2 * row - 9), abs(2 * column - 9))]
            main = (row + 2 * column) % 3
            amounts = [0, 0, 0]
            amounts[main] = -(-points // 2)
            amounts[(main + 1) % 3] = points // 2
            assert FARNA.incomes[f"{'ABCDEFGHIJ'[row]}{column + 1}"] == tuple(amounts)


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("prizes: [E5,", "prizes: [Z5,", "farna.yaml:9:10: 'Z5' is not an estate on this board; A1 to J10"),
        ("{slot: centre, pike: 2, morale: 3}", "{slot: centre, pike: 9, morale: 3}", "its tier is 12"),
        ("formation: division", "formation: legion", "no formation is called 'legion'"),
        ("companies: [Captain, 2 Vanguard, 3 Pikes]", "companies: [Captain, 3 Vanguard, 2 Pikes]", "a regiment is not filled like this"),
        ("companies: [Captain, 2 Vanguard, 3 Pikes]", "companies: [Captain, 2 Vangard, 3 Pikes]", "no company is called 'Vangard'; did you mean 'Vanguard'?"),
        ("Legate Ambrosio:\n    faction: Pape\n", "Legate Ambrosio:\n    faction: Papes\n", "no faction is called 'Papes'"),
        ("Rue, Tansy]", "Rue, Rue]", "two players' names give the same file name"),
        ("Rue, Tansy]", "Rue]", "11 players for 12 roles"),
        ("A1: [1, 1, 0]", "A1: [1, 9, 0]", "more than 5 of a resource"),
        ("start: [A1, C3]", "start: [A1, A2]", "there are not enough squares for the roles"),
        ("council: {morale: 5}", "council: {moral: 5}", "no value is called 'moral'; did you mean 'morale'?"),
    ],
)  # fmt: skip
def test_a_hosts_scenario_is_checked_and_faults_come_with_their_lines(old: str, new: str, fault: str) -> None:
    source = (DATA / "farna.yaml").read_text(encoding="utf-8")
    assert source.count(old) >= 1
    with pytest.raises(Problems) as caught:
        load_scenario(source.replace(old, new, 1).encode(), "farna.yaml")
    assert any(fault in str(problem) and problem.line for problem in caught.value.problems), caught.value.problems


# Orders ------------------------------------------------------------------------------------------------------------


def test_votes_are_lines_like_all_orders() -> None:
    """NB-W-2, NB-W-3."""
    reader = reader_of(Settings().board)
    for text, line in (("vote rue", "Vote Rue"), ("VOTE NIGHT", "Vote night")):
        order = reader.read(text)
        assert isinstance(order, Order)
        assert order.line == line
    assert isinstance(reader.read("vote nobody"), Unreadable)


def test_nights_without_a_sheet_are_counted() -> None:
    """NB-W-9, NB-P-18: how many Nights in a row a player sent nothing; the host rules on the consequences."""
    once = resolve_night(cast(), {"Anise": Sheet()}, DICE).position
    twice = resolve_night(replace(once, phase=Phase.NIGHT), {"Anise": Sheet()}, DICE).position
    assert {seat: player.missed for seat, player in twice.players.items()} == {
        seat: 0 if seat == "Anise" else 2 for seat in twice.players
    }


# Supremacy and neutral units -----------------------------------------------------------------------------------------


def test_supremacy_counts_heirs_on_both_sides() -> None:
    """NB-V-5, NB-V-6, NB-V-7: four of Pape's side against three others, until an Heir of both is counted for both."""
    position = cast()
    alive = {"Anise", "Basil", "Borage", "Caraway", "Chervil", "Dill"}
    players = {seat: replace(player, alive=seat in alive) for seat, player in position.players.items()}

    def wins(**heirs: Heir) -> set[str]:
        some = {seat: replace(players[seat], heir=heir) for seat, heir in heirs.items()}
        work = Work(replace(position, players={**players, **some}), {}, DICE)
        return {faction for faction in work.factions if supreme(work, faction)}

    assert wins() == set()
    assert wins(Anise=Heir(other="TCK")) == {"Pape"}
    assert wins(Anise=Heir(other="Fleurs")) == {"Pape", "Fleurs"}
    assert wins(Anise=Heir(other="Fleurs", hostage="Caraway")) == {"Fleurs"}


def test_a_scenario_may_have_neutral_units() -> None:
    """NB-E-17."""
    source = (DATA / "farna.yaml").read_text(encoding="utf-8")
    more = "neutrals: {E5: {formation: garrison, companies: [Captain, 5 Pikes, 3 Crossbows]}}\nroles:"
    scenario = load_scenario(source.replace("roles:", more, 1).encode(), "ours.yaml")
    assert list(scenario.neutrals) == ["E5"]


# Gaps of the source --------------------------------------------------------------------------------------------------


def unit_of(owner: str, at: str, recruited: int = 0) -> Unit:
    return Unit(
        owner=owner,
        formation="regiment",
        at=at,
        companies=("Militia",),
        leader="company",
        name="Sergeant",
        recruited=recruited,
    )


def test_the_core_ability_is_for_the_oldest_unit() -> None:
    """NB-C-11: 5 Morale more for Pape."""
    units = {"U300": unit_of("Anise", "A1", 2), "U500": unit_of("Anise", "A1", 1), "U400": unit_of("Anise", "A1", 1)}
    work = Work(replace(cast(), units=units), {}, DICE)
    assert {name: work.strength(name).morale for name in units} == {"U300": 2, "U400": 7, "U500": 2}


def test_an_offer_to_a_married_player_comes_to_nothing() -> None:
    """NB-X-30, NB-X-18."""
    position = cast()
    players = {
        **position.players,
        "Anise": replace(position.players["Anise"], stock=Stock(influence=3)),
        "Caraway": replace(position.players["Caraway"], married="Fennel"),
        "Fennel": replace(position.players["Fennel"], married="Caraway"),
    }
    night = resolve_night(
        replace(position, players=players), {"Anise": Sheet(orders=("Offer marriage to Caraway",))}, DICE
    )
    assert [(verdict.result, verdict.reason) for verdict in night.verdicts] == [("succeeds", "offered")]
    assert not night.position.players["Anise"].stock
    by_day = resolve(night.position, {"Caraway": Sheet(orders=("Accept marriage of Anise",))}, DICE)
    after = resolve(by_day.position, {}, DICE)
    assert [event.event for event in after.events if event.event == "agreed"] == []
    assert after.position.players["Caraway"].married == "Fennel"
    assert after.position.players["Anise"].married is None


def test_numbers_of_units_and_treaties_reveal_nothing() -> None:
    """NB-B-23: three digits by lot; with other dice, other numbers."""
    sheets = {seat: Sheet(unit="regiment led by pc: 2 Outriders, 3 Militia") for seat in FARNA.players}
    names = []
    for key in (b"one", b"two"):
        done = found_courts(setup(Settings(), NamedDice(b"setup")), sheets, NamedDice(key))
        assert all(re.fullmatch(r"U[1-9]\d\d", name) for name in done.position.units)
        assert len(done.position.units) == 12
        names.append(set(done.position.units))
    assert names[0] != names[1]


def test_everybody_hears_of_a_battle_but_only_fighters_learn_its_numbers() -> None:
    """NB-Y-7, NB-L-12: and a leader hears of everything that happens to their players' units."""
    units = {"U101": unit_of("Basil", "E5"), "U102": unit_of("Chervil", "E5")}
    done = resolve_night(replace(cast(), units=units), {}, DICE)
    heard = {event.event: event.heard for event in done.events}
    assert heard["rumour"] is None
    assert heard["battle"] == ("Anise", "Basil", "Caraway", "Chervil")
    gone = [(event.owner, event.heard) for event in done.events if event.event == "gone"]
    assert set(gone) <= {("Basil", ("Anise", "Basil")), ("Chervil", ("Caraway", "Chervil"))}
    assert gone


def test_a_game_may_end_undecided() -> None:
    """NB-V-12."""
    position = replace(cast(), phase=Phase.DAY, settings=Settings(last_cycle=2))
    done = resolve(position, {}, DICE)
    assert done.ended is not None
    assert (done.ended.how, done.ended.winners, done.ended.rule) == ("undecided", (), "NB-V-12")
    assert resolve(replace(position, cycle=1), {}, DICE).ended is None


def test_a_battle_is_reported_round_by_round() -> None:
    """The worked example of a Brigade against a Garrison, as its readers see it (NB-CH-2, NB-CH-3, NB-CH-5)."""
    brigade = Strength(attack=4, melee=8, charge=4, ranged=4, toughness=1, morale=46)
    garrison = Strength(attack=1, melee=6, pike=6, ranged=6, toughness=2, morale=31)
    sides = (
        BattleSide(name="Fleurs", factions=("Fleurs",), units=("U101",)),
        BattleSide(name="Pape", factions=("Pape",), units=("U102",)),
    )
    done = fight(("Fleurs", "Pape"), (brigade, garrison))
    unit = Unit(owner="Anise", formation="brigade", at="B3", companies=(), leader="courtier", name="1", recruited=0)
    fought = Battle(heard=("Anise",), at="B3", sides=sides, fights=(done,))
    raised = Raised(heard=("Rue",), unit="U102", owner="Rue", formation="garrison", at="B3", price=Stock())
    (report,) = RULESET.tables.reports(replace(cast(), units={"U101": unit}), (raised, fought))
    assert (report.anchor, report.title) == ("battle-b3-1", "Battle at B3: Fleurs against Pape")
    assert report.about == (
        "Fleurs: U101 (Anise’s brigade, led by a Courtier). Pape: U102 (Rue’s garrison, just raised). Fleurs won with 1 Morale left, after 6 rounds. "
        "Fleurs lost 45 Morale, 25 of it to ranged fire; Pape lost 42 Morale, 18 of it to charges."
    )
    # Readers who do not know the units see only their numbers.
    (bare,) = RULESET.tables.reports(cast(), (fought,))
    assert bare.about.startswith("Fleurs: U101. Pape: U102. ")
    assert report.table.rows == (
        ("start", "0 / 0", "", "", 46, 31),
        ("1", "4 / 1", "ranged 2 of 4", "ranged 5 of 6", 41, 29),
        ("2", "8 attacks / 2", "melee 6 of 8, charge 6 of 8", "pike 5 of 6, ranged 5 of 6", 31, 17),
        ("3", "4 / 3", "ranged 2 of 4", "ranged 5 of 6", 26, 15),
        ("4", "8 attacks / 4", "melee 6 of 8, charge 6 of 8", "pike 5 of 6, ranged 5 of 6", 16, 3),
        ("5", "4 / 5", "ranged 2 of 4", "ranged 5 of 6", 11, 1),
        ("6", "8 attacks / 6 attacks", "melee 6 of 8, charge 6 of 8", "pike 5 of 6, melee 5 of 6", 1, -11),
    )
    assert report.chart is not None
    assert report.chart.lines == {"Fleurs": (46, 41, 31, 26, 16, 11, 1), "Pape": (31, 29, 17, 15, 3, 1, 0)}


def test_a_spys_sightings_are_only_on_their_masters_map() -> None:
    """NB-K-8, NB-K-9: until the next Night's report; the fog lifts where the Spy stopped or passed."""
    units = {"U777": unit_of("Caraway", "A2")}
    done = resolve_night(replace(cast(), units=units), {"Anise": Sheet(orders=("Spy from A1 to B1, B2",))}, DICE)
    assert [report.at for report in done.position.players["Anise"].reports] == ["B1", "B2"]
    assert done.position.players["Basil"].reports == ()
    near = resolve_night(replace(cast(), units=units), {"Anise": Sheet(orders=("Spy from A1 to A2",))}, DICE).position
    for seat in ("Anise", "Basil"):
        view = RULESET.view(near, seat)
        scene = draw(view, None)
        assert [(token.place, token.owner) for token in scene.tokens] == ([("A2", "Fleurs")] if seat == "Anise" else [])
        assert RULESET.pictures.paint(scene).startswith("<svg")
        assert [plot.fog for plot in scene.plots if plot.place == "A2"] == [
            seat != "Anise" and near.players["Basil"].home != "A2"
        ]
    later = resolve_night(
        replace(near, phase=Phase.NIGHT), {"Anise": Sheet(orders=("Recall spy at A2",))}, DICE
    ).position
    assert later.players["Anise"].reports == ()


# The list of all lines and clauses ----------------------------------------------------------------------------------


def test_the_list_has_every_line_and_clause_with_its_blanks() -> None:
    """ORDERS.md has the tables generated from the acts (`nox -s bless` writes them), and all clauses, each with a rule."""
    text = (RULESET.folder / "ORDERS.md").read_text(encoding="utf-8")
    rows = [
        [cell.strip() for cell in line.strip("|").split(" | ")] for line in text.splitlines() if line.startswith("| `")
    ]
    assert text == with_all_tables("noblesse", text)
    assert sum(len(row) == 3 for row in rows) == len(ACTS.acts)
    clauses = {
        (row[0].strip("| `"), row[-1].partition("]")[0].strip("[")): tuple(
            frozenset(re.findall(r"`(\w+)`", cell)) for cell in row[1:3]
        )
        for row in rows
        if len(row) == 4
    }
    listed: dict[tuple[str, str], tuple[frozenset[str], ...]] = {
        (form, f"NB-{PROMISES[PromiseForm(form)].rule}"): blanks for form, blanks in PROMISE_FORMS.items()
    }
    for name, clause in (*PENALTIES.items(), *EXPIRATIONS.items()):
        listed[name.value, f"NB-{clause.rule}"] = (clause.must, clause.may)
    assert clauses == listed
    for rule in re.findall(r"\[(NB-[A-Z]+-\d+)\]", text):
        assert f"**{rule}.**" in BOOK


def test_the_direction_of_a_messenger_is_marked_as_our_choice() -> None:
    """ST-4, NB-K-10: the source can be read either way, and the rule admits it."""
    rule = BOOK.partition("**NB-K-10.**")[2].partition("\n\n")[0]
    assert " ".join(rule.split()).endswith(
        "*Ours:* it carries from the sender to the one who is named; by the letter of the rules post it might be the other way."
    )
