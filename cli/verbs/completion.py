"""`completion`: the script that lets a shell complete verbs, names and branches."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from cli.invocation import DONE
from journal.refused import Refused

# What is offered was typed by somebody else: bash puts it on the line as it comes, so it comes quoted, and is
# read without being expanded. zsh and fish quote what they put there themselves.
BASH = """_retold() {
  local offer
  COMPREPLY=()
  while IFS= read -r offer; do
    COMPREPLY+=("$offer")
  done < <(retold --complete --bash "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _retold retold
"""
ZSH = """#compdef retold
_retold() {
  local -a found
  found=(${(f)"$(retold --complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)"})
  (( $#found )) && compadd -a found
}
compdef _retold retold
"""
FISH = """complete -c retold -f -a '(retold --complete (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
"""
SCRIPTS = {"bash": BASH, "zsh": ZSH, "fish": FISH}


def command(shell: Annotated[str, typer.Argument(metavar="bash|zsh|fish", help="Your shell.")]) -> int:
    """Print the completion script for your shell.

    Example: retold completion bash >> ~/.bashrc
    """
    if shell not in SCRIPTS:
        raise Refused(f"There is a script for {', '.join(SCRIPTS)}, not for {shell}.")
    sys.stdout.write(SCRIPTS[shell])
    return DONE
