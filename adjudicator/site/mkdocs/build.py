"""Building and serving the site with MkDocs, for the command."""

from __future__ import annotations

import logging
from pathlib import Path

from adjudicator.core.text.problems import Problem, Problems, problem


def config_path(root: Path) -> Path:
    """Where the site is described; raises `Problems` when it is not."""
    path = root / "mkdocs.yml"
    if not path.is_file():
        raise problem(str(path), "there is no mkdocs.yml", "`courtly init` writes one, and leaves games as they are")
    return path


class _Warnings(logging.Handler):
    """Collects what MkDocs warns about, so that a strict build can say it all at once."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []

    def emit(self, entry: logging.LogRecord) -> None:
        self.messages.append(entry.getMessage())


def build(root: Path, site_dir: Path | None = None) -> Path:
    """Builds the site and gives the page to open; a warning is a fault. Raises `Problems`.

    Games with faults are left out; the others are built all the same, and then the faults are raised.
    """
    from mkdocs.commands.build import build as mkdocs_build
    from mkdocs.config import load_config
    from mkdocs.exceptions import MkDocsException

    warnings = _Warnings()
    log = logging.getLogger("mkdocs")
    log.addHandler(warnings)
    config = None
    try:
        options = {"site_dir": str(site_dir.absolute())} if site_dir else {}
        config = load_config(str(config_path(root)), strict=True, **options)
        config.plugins.on_startup(command="build", dirty=False)
        try:
            mkdocs_build(config)
        finally:
            config.plugins.on_shutdown()
    except MkDocsException as error:
        if config is not None and (plugin := config.plugins.get("courtly")) is not None and plugin.problems:
            raise Problems(plugin.problems) from None
        lines = [*warnings.messages, *str(error).splitlines()]
        raise Problems(
            Problem(str(root / "mkdocs.yml"), 0, 0, line.strip()) for line in lines if line.strip()
        ) from None
    finally:
        log.removeHandler(warnings)
    return Path(config.site_dir).absolute() / "index.html"


def serve(root: Path, port: int) -> None:
    """Serves the site on this machine until it is interrupted."""
    from mkdocs.commands.serve import serve as mkdocs_serve

    logging.basicConfig(level=logging.INFO, format="%(message)s")
    mkdocs_serve(str(config_path(root)), dev_addr=f"127.0.0.1:{port}")
