"""Files that a host places beside game.yaml and names in a house rule, and the house rules that use them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from adjudicator.core.contract.ruleset import Ruleset
from adjudicator.core.files.places import named
from adjudicator.core.game.archive import read_file
from adjudicator.core.game.game import Beside, house_rules, nothing_beside
from adjudicator.core.text.problems import plain, problem
from adjudicator.core.text.yamltext import Text


class Laid(dict[str, bytes]):
    """A host's own files, by name. A file that one of them names is read from the same folders when somebody asks for it."""

    folders: tuple[Path, ...] = ()

    def __missing__(self, name: str) -> bytes:
        for folder in self.folders:
            files, path = named(folder / name)
            if files.is_file(path):
                self[name] = read_file(files, path)
                return self[name]
        raise KeyError(name)


def read_own_files(settings: Mapping[str, Any]) -> tuple[dict[str, Any], Laid]:
    """Read the host's own files: the values of `settings` that end in `.yaml`.

    Returns the settings with names in place of paths, and the files by name; raises `Problems` for files that cannot be read.
    """
    chosen, files = dict(settings), Laid()
    for key, value in settings.items():
        if isinstance(value, str) and value.endswith(".yaml"):
            path = Path(value)
            if path.name in files:
                raise problem(key, f"two files would be called {path.name}", "give them different names")
            chosen[key] = path.name
            files[path.name] = read_file(*named(path), shown=plain(path.as_posix()))
            files.folders = (*files.folders, path.parent)
    return chosen, files


def beside_from(files: Mapping[str, bytes]) -> Beside:
    """A `Beside` that returns these files, and raises `Problems` for any other name."""

    def beside(name: str) -> bytes:
        try:
            return files[name]
        except KeyError:
            return nothing_beside(name)

    return beside


def rules_at_hand(rules: Ruleset[Any, Any, Any], chosen: Mapping[str, Any], own: Mapping[str, bytes]) -> Any:
    """Complete the house rules of a game that does not exist yet, with the results of `read_own_files`; raises `Problems`."""
    return house_rules(rules, Text("", {**chosen}, {}), beside_from(own))[0]
