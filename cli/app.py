"""Reading verbs (`show`, `export` …) as typer applications, loaded when they run; options they share."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from importlib import import_module
from typing import Annotated

import typer

from cli.invocation import DONE, Options, UsageError, module_of
from retold.startup import INTERRUPTED


def application(verb: str) -> typer.Typer:
    """Returns a typer application for one reading verb, such as `show`.

    Its options are the parameters of the function `command` in the verb's module (`cli.verbs.show`).
    """
    app = typer.Typer(
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
    )
    app.command(name=verb)(import_module(module_of(verb)).command)
    return app


def run_app(options: Options, verb: str, rest: Sequence[str]) -> int:
    """Runs one reading verb, such as `show`, with its arguments `rest`; returns the exit code.

    Raises UsageError for arguments that typer cannot parse.
    """
    asked = _command_of(verb)
    try:
        # Not called as an application, which would exit by itself on a closed pipe.
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


# The console runs the same verbs all evening, and typer takes its time over the options.
_command_of = cache(lambda verb: typer.main.get_command(application(verb)))


def _sentence(message: str) -> str:
    return message if message.endswith((".", "?", "!")) else f"{message}."


Campaign = Annotated[
    str | None,
    typer.Option(
        "-c", "--campaign", metavar="FILE", help="The campaign; else RETOLD_CAMPAIGN, else the one here."
    ),
]
Branch = Annotated[
    str | None, typer.Option("--branch", metavar="NAME", help="The line to read; else the one you write to.")
]
At = Annotated[
    str | None,
    typer.Option("--at", metavar="MOMENT", help="A moment: 412, s3, s3:42, @-3, a mark, branch@412."),
]
Json = Annotated[bool, typer.Option("--json", help="For machines: one documented, versioned shape.")]
For = Annotated[
    str, typer.Option("--for", metavar="gm|table|NAME", help="Who reads it: only what they may know.")
]
Lang = Annotated[
    str | None,
    typer.Option(
        "--lang",
        metavar="CODE",
        help="Language of Retold's words, such as de (see: retold voices); else RETOLD_LANG, else en.",
    ),
]
Output = Annotated[
    str | None,
    typer.Option("-o", "--output", metavar="FILE", help="The file to write; - is standard output."),
]
SharedDisk = Annotated[
    bool, typer.Option("--shared-disk", help="On a network disk too: one program at a time will open it.")
]
Force = Annotated[bool, typer.Option("--force", help="Write over a file that is there.")]


def merged(ctx: typer.Context, campaign: str | None, branch: str | None, json: bool = False) -> Options:
    """Returns the options typed before the verb (`ctx.obj`), overridden by those typed after it."""
    before: Options = ctx.obj
    return Options(
        campaign or before.campaign, branch or before.branch, json or before.json, before.debug, before.yes
    )


def name_among(names: Collection[str], typed: str, unknown: str) -> str:
    """Returns the name in `names` that `typed` means, in full or abbreviated.

    Raises Refused if several names fit, or none; then the refusal is the sentence `unknown`, and the names
    spelled most like it, or all names.
    """
    from journal.names import CLOSE, Unknown, find, nearest
    from journal.refused import Refused

    try:
        return find(typed, {name: (name,) for name in names})
    except Unknown:
        close = nearest(typed, names, at_least=CLOSE)
        hint = f"Did you mean {' or '.join(close)}?" if close else f"There are: {', '.join(names)}."
        raise Refused(f"{unknown} {hint}") from None
