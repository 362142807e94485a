"""Options of the form KEY=VALUE."""

from __future__ import annotations

from typing import Any

import click


def pair(text: str, option: str) -> tuple[str, str]:
    """`KEY=VALUE` as a pair; raises `click.BadParameter` for any other text."""
    key, sign, value = text.partition("=")
    if not sign or not key or not value:
        raise click.BadParameter(f"{text!r} is not KEY=VALUE", param_hint=option)
    return key, value


def pairs(texts: tuple[str, ...], option: str) -> dict[str, str]:
    """Several `KEY=VALUE` as a dictionary; raises `click.UsageError` if a key is repeated."""
    made = dict(pair(text, option) for text in texts)
    if len(made) < len(texts):
        raise click.UsageError(f"two {option} set the same thing: leave one of them out")
    return made


def rules_from(texts: tuple[str, ...]) -> dict[str, Any]:
    """House rules given with --set."""
    from adjudicator.core.text.yamltext import plain_value

    return {key: plain_value(value) for key, value in pairs(texts, "--set").items()}
