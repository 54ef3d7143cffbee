"""Reading verbs (`show`, `export` …) as typer applications, loaded when they run; options they share."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cache
from importlib import import_module
from typing import Annotated, Any, Final

import typer
from typer.core import TyperCommand

from retold.cli.invocation import DONE, FLAGS, VALUES, Options, UsageError, module_of, take_options
from retold.cli.output.printing import columns, wrapped
from retold.startup import INTERRUPTED

FEW_OPTIONS: Final = 9
"""Up to so many options are listed without groups."""

NAMES_WIDTH: Final = 24
"""Columns for the names of an option, where they fit."""


class _Verb(TyperCommand):
    """Command whose help is a sentence, examples, its form, and arguments and options in groups."""

    def get_help(self, ctx: Any) -> str:  # noqa: ANN401 -- the base of typer's Context, which is not exported
        """Returns the help, made of the docstring and the declared parameters, at most 79 columns wide."""
        sentence, examples, more = help_of(self.help or "")
        lines = [*wrapped(sentence), "", *(f"  {example}" for example in examples), ""]
        lines += wrapped(self.get_usage(ctx).removeprefix("Usage: "), indent=4)
        for paragraph in more:
            lines += ["", *wrapped(paragraph)]
        for title, rows in self._groups(ctx).items():
            lines += ["", title, *columns(rows, min(NAMES_WIDTH, max(len(name) for name, _ in rows) + 2))]
        return "\n".join(lines)

    def _groups(self, ctx: typer.Context) -> dict[str, list[tuple[str, str]]]:
        """Returns rows of arguments and options (names, meaning) by the title of their group."""
        params = self.get_params(ctx)
        few = sum(param.param_type_name == "option" for param in params) <= FEW_OPTIONS
        groups: dict[str, list[tuple[str, str]]] = {"Arguments": [], OPTIONS: []}
        for param in params:
            row = param.get_help_record(ctx)
            if row is None:
                continue
            is_argument = param.param_type_name == "argument"
            panel = None if few else getattr(param, "rich_help_panel", None)
            groups.setdefault("Arguments" if is_argument else panel or OPTIONS, []).append(row)
        groups[OPTIONS] = groups.pop(OPTIONS)  # those of no group come last
        return {title: rows for title, rows in groups.items() if rows}


OPTIONS: Final = "Options"
"""Title of the options that are in no group of their own."""

EXAMPLES: Final = ("Examples: ", "Example: ")
"""How the paragraph of a docstring begins that has the examples."""


def help_of(docstring: str) -> tuple[str, list[str], list[str]]:
    """Returns the parts of a reading verb's docstring: its first paragraph, its examples, all others."""
    first, *others = (" ".join(part.split()) for part in docstring.split("\n\n"))
    examples = [part for part in others if part.startswith(EXAMPLES)]
    listed = [one for part in examples for one in part.partition(": ")[2].split(" · ")]
    return first, listed, [part for part in others if part not in examples]


def application(verb: str) -> typer.Typer:
    """Returns a typer application for one reading verb, such as `show`.

    Its options are the parameters of the function `command` in the verb's module (`cli.verbs.show`). Raises
    Refused for the verb of a feature that is not installed.
    """
    module = module_of(verb)
    if module is None:
        from retold.journal.refused import Refused

        raise Refused(f"This Retold has no {verb}: the feature that brings it is not installed.")
    app = typer.Typer(
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
    )
    app.command(name=verb, cls=_Verb)(import_module(module).command)
    return app


def run_app(options: Options, verb: str, rest: Sequence[str]) -> int:
    """Runs one reading verb, such as `show`, with its arguments `rest`; returns the exit code.

    Raises UsageError for arguments that typer cannot parse.
    """
    asked = command_of(verb)
    own = {name for parameter in asked.params for name in parameter.opts}
    of_gm = ["--for=gm"] if "--for" in own else []  # which the other verbs show anyway
    rest = [word for given in rest for word in (of_gm if given == "--gm" else [given])]
    options, rest = take_options(options, rest, (VALUES.keys() | FLAGS.keys()) - own, ends=("--",))
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
command_of = cache(lambda verb: typer.main.get_command(application(verb)))


def _sentence(message: str) -> str:
    extra = re.fullmatch(r"Got unexpected extra arguments? \((.+)\)", message)
    if extra is not None:
        return f"“{extra[1]}” is more than it takes."
    return message if message.endswith((".", "?", "!")) else f"{message}."


WHERE: Final = "Which campaign, line and moment"
ANSWER: Final = "Where the answer goes"

Campaign = Annotated[
    str | None,
    typer.Option(
        "-c",
        "--campaign",
        metavar="FILE",
        help="The campaign; else RETOLD_CAMPAIGN, else the one here.",
        rich_help_panel=WHERE,
    ),
]
Branch = Annotated[
    str | None,
    typer.Option(
        "--branch", metavar="NAME", help="The line to read; else the one you write to.", rich_help_panel=WHERE
    ),
]
At = Annotated[
    str | None,
    typer.Option(
        "--at",
        metavar="MOMENT",
        help="A moment: 412, s3, s3:42, @-3, a mark, branch@412.",
        rich_help_panel=WHERE,
    ),
]
Json = Annotated[
    bool,
    typer.Option("--json", help="For machines: one documented, versioned shape.", rich_help_panel=ANSWER),
]
For = Annotated[
    str,
    typer.Option(
        "--for", metavar="gm|table|NAME", help="Who reads it: only what they may know.", rich_help_panel=WHERE
    ),
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
    typer.Option(
        "-o",
        "--output",
        metavar="FILE",
        help="The file to write; - is standard output.",
        rich_help_panel=ANSWER,
    ),
]
SharedDisk = Annotated[
    bool, typer.Option("--shared-disk", help="On a network disk too: one program at a time will open it.")
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite an existing file.", rich_help_panel=ANSWER)]


def merged(ctx: typer.Context, campaign: str | None, branch: str | None, json: bool = False) -> Options:
    """Returns the options of every verb (`ctx.obj`), overridden by those that the verb itself takes."""
    before: Options = ctx.obj
    return Options(
        campaign or before.campaign, branch or before.branch, json or before.json, before.debug, before.yes
    )


def name_among(names: Collection[str], typed: str, unknown: str) -> str:
    """Returns the name in `names` that `typed` means, in full or abbreviated.

    Raises Refused if several names fit, or none; then the refusal is the sentence `unknown`, and the names
    spelled most like it, or all names.
    """
    from retold.journal.names import CLOSE, Unknown, find, nearest
    from retold.journal.refused import Refused

    try:
        return find(typed, {name: (name,) for name in names})
    except Unknown:
        close = nearest(typed, names, at_least=CLOSE)
        hint = f"Did you mean {' or '.join(close)}?" if close else f"There are: {', '.join(names)}."
        raise Refused(f"{unknown} {hint}") from None
