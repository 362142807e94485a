"""The command's manual for the site: the `command` entry point of the `courtly.pages` group."""

from __future__ import annotations

import click

from adjudicator.cli import main


def command_manual() -> str:
    """The manual of the command, from its own help, so that it is always up to date."""
    parts = ["# The command\n\nExit status: 0 if all is well, 1 if problems were found, 2 for wrong use.\n"]
    # The context needs the command's own settings, because click remembers the help option of the first call.
    root = click.Context(main, info_name="courtly", color=False, **main.context_settings)
    parts.append(f"```text\n{main.get_help(root)}\n```\n")
    for name in main.list_commands(root):
        command = main.get_command(root, name)
        assert command is not None
        with click.Context(command, info_name=name, parent=root, color=False) as context:
            parts.append(f"## courtly {name}\n\n```text\n{command.get_help(context)}\n```\n")
            if isinstance(command, click.Group):
                for inner in command.list_commands(context):
                    step = command.get_command(context, inner)
                    assert step is not None
                    with click.Context(step, info_name=inner, parent=context, color=False) as below:
                        parts.append(f"### courtly {name} {inner}\n\n```text\n{step.get_help(below)}\n```\n")
    return "\n".join(parts)
