"""The installed courtly: its version, and the commit it was installed from."""

from __future__ import annotations

import functools
import json
import sys
from importlib.metadata import PackageNotFoundError, distribution


@functools.cache
def this_courtly() -> str:
    """The installed version, with the commit if the installation names one: `0.1.0` or `0.1.0+1f0c5a7e9b21`.

    It is the same on every machine with this installation: it depends on no local file, and not on a clone that courtly runs from.
    """
    package = sys.modules[__name__.partition(".")[0]]  # the whole package; core imports nothing from it
    version: str = package.__version__
    try:
        said = distribution("courtly").read_text("direct_url.json")
        commit = json.loads(said or "{}").get("vcs_info", {}).get("commit_id")
    except (PackageNotFoundError, ValueError, AttributeError):
        commit = None
    return f"{version}+{commit[:12]}" if isinstance(commit, str) and commit else version
