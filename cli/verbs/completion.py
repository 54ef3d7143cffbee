"""The `completion` verb: prints a script with which a shell completes verbs, names, moments and files."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from retold.journal.refused import Refused

# Other people typed what is offered: bash puts it on the line as it comes, so it comes quoted, and is
# read without being expanded. zsh and fish quote what they put there themselves; PowerShell's script does.
# Where nothing is offered, every shell goes on to the files there are.
BASH = """_retold() {
  local offer
  COMPREPLY=()
  while IFS= read -r offer; do
    COMPREPLY+=("$offer")
  done < <(retold --complete --bash "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _retold retold
"""
# As a file named _retold in a folder of $fpath it is loaded, and asked, at the first Tab.
ZSH = """#compdef retold
_retold() {
  local -a found
  found=(${(f)"$(retold --complete "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)"})
  if (( $#found )); then
    compadd -M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}' -a found
  else
    _files
  fi
}
if [[ $funcstack[1] == _retold ]]; then
  _retold "$@"
else
  compdef _retold retold
fi
"""
FISH = """function __retold_offers
  set -l typed (commandline -ct)
  set -l offers (retold --complete (commandline -opc)[2..] (string unescape -- "$typed"; or echo) 2>/dev/null)
  if set -q offers[1]
    printf '%s\\n' $offers
  else
    __fish_complete_path "$typed"
  end
end
complete -c retold -f -a '(__retold_offers)'
"""
POWERSHELL = """Register-ArgumentCompleter -Native -CommandName retold -ScriptBlock {
  param($word, $line, $cursor)
  $words = @($line.CommandElements | Select-Object -Skip 1 | Where-Object {
    $_.Extent.StartOffset -lt $cursor
  } | ForEach-Object {
    if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { "$_" }
  })
  if (-not $word) { $words += '""' }
  retold --complete @words 2>$null | ForEach-Object {
    $offer = $_
    if ($offer -notmatch '^[\\p{L}\\p{N}_.+/-]+$') {
      $quoted = [System.Management.Automation.Language.CodeGeneration]::EscapeSingleQuotedStringContent($_)
      $offer = "'$quoted'"
    }
    [System.Management.Automation.CompletionResult]::new($offer, $_, 'ParameterValue', $_)
  }
}
"""
SCRIPTS = {"bash": BASH, "zsh": ZSH, "fish": FISH, "powershell": POWERSHELL}


def command(
    shell: Annotated[str, typer.Argument(metavar="bash|zsh|fish|powershell", help="Your shell.")],
) -> None:
    """Print the completion script for your shell.

    For zsh it goes into ~/.zshrc, below compinit; for PowerShell into $PROFILE; for fish it is a file,
    ~/.config/fish/completions/retold.fish.

    Examples: retold completion bash >> ~/.bashrc · retold completion fish >
    ~/.config/fish/completions/retold.fish
    """
    if shell not in SCRIPTS:
        raise Refused(f"There is a script for {', '.join(SCRIPTS)}, not for {shell}.")
    sys.stdout.write(SCRIPTS[shell])
