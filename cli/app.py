"""The reading verbs as a typer application: one module each, and only the one asked for is loaded."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

import typer

from cli.invocation import DONE, Options, UsageError
from retold.interrupted import INTERRUPTED


def application(verb: str) -> typer.Typer:
    """The application of one reading verb: the `command` of the module with its name."""
    app = typer.Typer(
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
    )
    app.command(name=verb)(import_module(f"cli.verbs.{verb.replace('-', '_')}").command)
    return app


def run_app(options: Options, verb: str, rest: Sequence[str]) -> int:
    """Runs one reading verb; returns its exit code."""
    asked = typer.main.get_command(application(verb))
    try:
        # Not called as an application: that would end the program by itself on a closed pipe.
        with asked.make_context(f"retold {verb}", list(rest), obj=options) as context:
            code = asked.invoke(context)
    except typer.Exit as leave:
        return leave.exit_code
    except typer.Abort:
        return INTERRUPTED
    except Exception as error:
        message = getattr(error, "format_message", None)
        if message is None:
            raise
        raise UsageError(f"{_sentence(message())} What there is: retold {verb} --help.") from None
    return code if isinstance(code, int) else DONE


def _sentence(message: str) -> str:
    return message if message.endswith((".", "?", "!")) else f"{message}."
