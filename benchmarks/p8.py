"""P8: how long the command line takes to answer, from a cold start."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.campaigns import grown
from benchmarks.measuring import Figure, Goal, Task, compare, interleaved, show

EVENTS = 1_000
ROUNDS = 21
HELLO = """
import typer

app = typer.Typer()


@app.command()
def hello(name: str) -> None:
    typer.echo(f"Hello {name}")


app()
"""
ROOT = Path(__file__).parent.parent


def run() -> list[Figure]:
    """Measures it."""
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        grown(here / "a.retold", EVENTS).close()
        (here / "hello.py").write_text(HELLO)
        homes = ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME")
        env = os.environ | {name: str(here / name) for name in homes}
        # Installed, modules are compiled once; here the round that is not counted does it.
        env.pop("PYTHONDONTWRITEBYTECODE", None)
        env["PYTHONPYCACHEPREFIX"] = str(here / "compiled")

        def started(*arguments: str) -> Task:
            program = [sys.executable, *arguments]
            return lambda: subprocess.run(program, cwd=ROOT, env=env, capture_output=True, check=True)

        retold = ("-m", "retold", "-c", str(here / "a.retold"))
        seconds = interleaved(
            {
                "python -c pass": started("-c", "pass"),
                "typer's hello world": started(str(here / "hello.py"), "you"),
                "--version": started("-m", "retold", "--version"),
                "log -n 20": started(*retold, "log", "-n", "20"),
                "a Tab completion": started("-m", "retold", "--complete", "-c", str(here / "a.retold"), "na"),
                "note :text": started(*retold, "note", ": It rains."),
            },
            ROUNDS,
        )
    goals = [("--version", 1.5), ("log -n 20", 4), ("a Tab completion", 4)]
    return [
        *(
            compare("P8", what, seconds, what, "python -c pass", n=1, goal=Goal(ratio))
            for what, ratio in goals
        ),
        compare(
            "P8",
            f"note :text, on {EVENTS:,} events",
            seconds,
            "note :text",
            "typer's hello world",
            n=1,
            goal=Goal(2),
        ),
    ]


if __name__ == "__main__":
    show(run())
