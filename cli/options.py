"""The options every reading verb has, and what they mean together."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.invocation import Options

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
Output = Annotated[
    str | None,
    typer.Option("-o", "--output", metavar="FILE", help="The file to write; - is standard output."),
]
SharedDisk = Annotated[
    bool, typer.Option("--shared-disk", help="On a network disk too: one program at a time will open it.")
]
Force = Annotated[bool, typer.Option("--force", help="Write over a file that is there.")]


def merged(ctx: typer.Context, campaign: str | None, branch: str | None, json: bool = False) -> Options:
    """What stood before the verb, overridden by what stands after it."""
    before: Options = ctx.obj
    return Options(
        campaign or before.campaign, branch or before.branch, json or before.json, before.debug, before.yes
    )
