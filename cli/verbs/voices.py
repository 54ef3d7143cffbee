"""The `voices` verb: lists, copies and checks voices (styles in which a session is told)."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, NamedTuple

import typer
from msgspec.structs import replace

from retold.cli import app as o
from retold.cli.campaigns.settings import Settings
from retold.cli.invocation import DONE, FAILED, UsageError
from retold.cli.output.printing import columns, write_json
from retold.cli.output.writing_files import write_bytes
from retold.journal.counting import counted
from retold.journal.refused import Refused
from retold.journal.store.writing.drafts import Scope
from retold.projections.prose import VOICES, Voice, in_language, primary
from retold.projections.prose.phrases import missing_in
from retold.projections.prose.phrases.languages import Language, codes, language, language_meant, spoken
from retold.projections.prose.voicefile import SUFFIX, copied, read
from retold.projections.texts import safe

NAME = re.compile(r"\w[\w-]*")


def command(
    ctx: typer.Context,
    copy: Annotated[
        tuple[str, str] | None,
        typer.Option("--copy", metavar="VOICE NAME", help="Write all of a voice to a new file, to change."),
    ] = None,
    check: Annotated[
        Path | None,
        typer.Option(
            "--check",
            metavar="FILE",
            help="Say whether a voice is fit to use (its file, or its name), or what a language lacks (de).",
        ),
    ] = None,
    lang: o.Lang = None,
    json: o.Json = False,
) -> int:
    """List who can tell a session, and in which languages: Retold's own voices, and yours.

    Examples: retold voices --copy report mine · retold export --voice mine --lang de
    """
    settings = Settings.of_user()
    if copy and check:
        raise UsageError("Copy a voice or check one: --copy or --check, not both.")
    if lang is not None and not copy:
        raise UsageError("--lang is for --copy here: the language of the voice to copy.")
    if copy:
        path = _copy(settings, *copy, lang)
        sys.stdout.write(
            f"Written to {safe.line(str(path))}: change it, and export with --voice {safe.line(copy[1])}.\n"
        )
    elif check and str(check) in codes():
        return _check_language(language(str(check)))
    elif check:
        path = _file_meant(settings, check)
        voice = read(path)
        sys.stdout.write(
            f"{safe.line(str(path))} is fit to use: {safe.line(voice.about)}.{_lacking(voice)}\n"
        )
    elif o.merged(ctx, None, None, json).json:
        write_json(
            {
                "retold": "voices",
                "version": 1,
                "voices": [voice._asdict() for voice in known(settings)],
                "languages": [
                    {"code": told.code, "name": told.name, "missing": list(missing_in(told))}
                    for told in spoken()
                ],
            }
        )
    else:
        _list(settings)
    return DONE


def _lacking(voice: Voice) -> str:
    """Returns a sentence on the phrases that a voice lacks in its language; empty if Retold speaks it."""
    spoken_here = language(voice.lang)
    if spoken_here.code == primary(voice.lang):
        return ""
    usual = in_language(VOICES[voice.base], spoken_here).phrases.texts
    own = sum(text != usual.get(key) for key, text in voice.phrases.texts.items())
    return f" It words {own} of {len(usual)} phrases; the others are told in {spoken_here.name}."


class Known(NamedTuple):
    """A voice in the list: name, description, base voice, and file (None for Retold's own).

    `broken` is the reason why it cannot be used, else None.
    """

    name: str
    about: str
    base: str | None
    path: str | None
    broken: str | None


def known(settings: Settings) -> Iterator[Known]:
    """Yields Retold's own voices, then the user's by name, unusable ones included."""
    for voice in VOICES.values():
        yield Known(voice.name, voice.about, voice.base, None, None)
    for path in own(settings):
        try:
            voice = read(path)
        except Refused as refusal:
            yield Known(path.name.removesuffix(SUFFIX), "", None, str(path), str(refusal))
        else:
            yield Known(voice.name, voice.about, voice.base, str(path), None)


def languages() -> tuple[tuple[str, str], ...]:
    """Returns code and name of each language that --lang takes."""
    return tuple((told.code, told.name) for told in spoken())


def own(settings: Settings) -> list[Path]:
    """Returns the files of the user's voices; leaves out names that Retold's own voices have."""
    found = settings.voices.glob(f"*{SUFFIX}")
    return sorted(path for path in found if path.name.removesuffix(SUFFIX) not in VOICES)


def voice_meant(settings: Settings, typed: str, lang: str | None = None) -> Voice:
    """Returns the voice that --voice names: Retold's, the user's, or a .toml file; Refused if unknown.

    It speaks the language `lang`, else that of RETOLD_LANG, else its own. Refused if Retold has no such
    language, or if it needs a package that is not installed.
    """
    return _voice(settings, typed, _language_meant(settings, lang))


def _language_meant(settings: Settings, lang: str | None) -> Language | None:
    """Returns the language `lang`, or that of RETOLD_LANG; None without both."""
    by_default = settings.environment.get("RETOLD_LANG")
    if lang or not by_default:
        return language_meant(lang) if lang else None
    try:
        return language_meant(by_default)
    except Refused as error:
        raise Refused(f"RETOLD_LANG names no language. {error}") from None


def draft_language(settings: Settings, voice: str, lang: str | None) -> str | None:
    """Returns the code of a draft's language; None for the voice's own. Raises Refused as `voice_meant` does.

    RETOLD_LANG counts too, so that the draft has the same language on every computer.
    """
    meant = _language_meant(settings, lang)
    _voice(settings, voice, meant)  # refused now, not when the draft is read
    return None if meant is None else meant.code


def draft_voice(settings: Settings, scope: Scope) -> Voice:
    """Returns the voice of a draft, in the draft's language; Refused if this user has none of that name."""
    voice = _voice(settings, scope.voice, language_meant(scope.lang) if scope.lang else None)
    return replace(voice, is_chosen=True)


def _voice(settings: Settings, typed: str, meant: Language | None) -> Voice:
    """Returns the voice in a language, else in its own; Refused if a package for the language is missing."""
    voice = replace(_found(settings, typed, meant), is_chosen=meant is not None)
    voice.phrases.language.check_installed()  # so that no page is refused half written
    return voice


def _found(settings: Settings, typed: str, meant: Language | None) -> Voice:
    if typed in VOICES:
        return VOICES[typed] if meant is None else in_language(VOICES[typed], meant)
    if typed.endswith(SUFFIX):
        return read(Path(typed), meant)
    kept = {path.name.removesuffix(SUFFIX): path for path in own(settings)}
    if typed not in kept:
        raise Refused(f"There is no voice {typed}. There are: {', '.join((*VOICES, *kept))}.")
    return read(kept[typed], meant)


def _file_meant(settings: Settings, typed: Path) -> Path:
    """Returns the voice file to check: the path typed, else the user's voice of that name.

    Raises Refused for the name of a voice that comes with Retold.
    """
    if typed.parent != Path() or typed.exists():
        return typed
    kept = settings.voices / f"{typed.name.removesuffix(SUFFIX)}{SUFFIX}"
    if str(typed) in VOICES and not kept.exists():
        raise Refused(f"{typed} comes with Retold: check a file or voice of yours, or a language such as de.")
    return kept if kept.exists() else typed


def _check_language(checked: Language) -> int:
    """Prints the phrases that a language lacks; returns exit code 1 if there are any."""
    missing = list(missing_in(checked))
    if not missing:
        sys.stdout.write(f"{checked.name} ({checked.code}) has every phrase.\n")
        return DONE
    phrases = counted(len(missing), "phrase")
    sys.stdout.write(f"{checked.name} ({checked.code}) lacks {phrases}, which are told in English:\n")
    sys.stdout.writelines(f"  {key}\n" for key in missing)
    return FAILED


def _copy(settings: Settings, typed: str, name: str, lang: str | None) -> Path:
    """Copies a voice to a new file in the user's folder of voices, to be changed; returns its path.

    Raises Refused for an unknown voice, or for a name that is invalid or taken.
    """
    if not NAME.fullmatch(name):
        raise Refused(f"“{name}” is no name for a voice: use letters, digits and hyphens.")
    if name in VOICES:
        raise Refused(f"{name} is one of Retold's own voices: choose another name.")
    path = settings.voices / f"{name}{SUFFIX}"
    if path.exists() or path.is_symlink():
        raise Refused(f"{path} is there already: choose another name, or change that one.")
    text = copied(voice_meant(settings, typed, lang), f"{typed}, with words of its own")
    path.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(text.encode(), path)
    return path


def _list(settings: Settings) -> None:
    for voice in known(settings):
        about = voice.broken or (f"{voice.about} ({voice.path})" if voice.path else voice.about)
        for line in columns([(safe.line(voice.name), safe.line(about))], 12):
            sys.stdout.write(f"{line}\n")
    there = " · ".join(f"{told.code} ({told.name})" for told in spoken())
    folder = safe.line(str(settings.voices))
    sys.stdout.write(f"\nLanguages, with --lang: {there}\n")
    sys.stdout.write(f"Make a voice of your own: retold voices --copy report NAME ({folder})\n")
