"""Copying of a text to the desktop's clipboard, as HTML too where the system takes both."""

from __future__ import annotations

import base64
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from typing import Final

from retold.journal.refused import Refused

HTML: Final = "text/html"
SECONDS: Final = 20
"""Time after which a program of the desktop that does not answer is given up."""

_POWERSHELL: Final = """
$parts = [Console]::In.ReadToEnd().Split("`n")
$read = { param($part) [Text.Encoding]::UTF8.GetString([Convert]::FromBase64String($part.Trim())) }
Add-Type -AssemblyName System.Windows.Forms
$data = New-Object System.Windows.Forms.DataObject
$data.SetText((& $read $parts[0]), [System.Windows.Forms.TextDataFormat]::UnicodeText)
if ($parts[1].Trim()) { $data.SetText((& $read $parts[1]), [System.Windows.Forms.TextDataFormat]::Html) }
[System.Windows.Forms.Clipboard]::SetDataObject($data, $true)
"""
_HEAD: Final = (
    "Version:0.9\r\nStartHTML:{:010}\r\nEndHTML:{:010}\r\nStartFragment:{:010}\r\nEndFragment:{:010}\r\n"
)
_BEFORE: Final = "<html><body><!--StartFragment-->"
_AFTER: Final = "<!--EndFragment--></body></html>"


def copy_to_clipboard(made: str, plain: str, media: str) -> None:
    """Puts a text of media type `media` into the clipboard, and says so on standard error.

    HTML goes together with its plain text on macOS and Windows; the clipboard programs of Linux offer
    one form, here `made`. Raises Refused if no program for the clipboard is there, or if it fails.
    """
    html = made if media == HTML else ""
    command, given = _command(plain if html else made, html)
    try:
        done = subprocess.run(  # noqa: S603 -- fixed programs; the text is on their standard input
            command, input=given, capture_output=True, check=False, timeout=SECONDS
        )
    except (OSError, subprocess.TimeoutExpired):
        done = None
    if done is None or done.returncode:
        raise Refused(f"{command[0]} could not fill the clipboard: write a file with -o FILE instead.")
    form = "HTML" if html else "text"
    sys.stderr.write(f"In the clipboard, as {form}: {len(made):,} characters.\n")


def _command(plain: str, html: str) -> tuple[Sequence[str], bytes]:
    """Command line of this system's clipboard program, and bytes for its standard input."""
    if sys.platform == "darwin":
        found = ("osascript", "-"), _script(plain, html).encode()
    elif sys.platform == "win32":
        found = ("powershell", "-NoProfile", "-STA", "-Command", _POWERSHELL), _parts(plain, html).encode()
    else:
        found = _command_of_a_desktop(plain, html)
    return found


def _command_of_a_desktop(plain: str, html: str) -> tuple[Sequence[str], bytes]:
    """The same for Wayland and X11."""
    kind = HTML if html else "text/plain"
    given = (html or plain).encode()
    if os.environ.get("WAYLAND_DISPLAY") and shutil.which("wl-copy"):
        return ("wl-copy", "--type", kind), given
    if os.environ.get("DISPLAY") and shutil.which("xclip"):
        target = HTML if html else "UTF8_STRING"
        return ("xclip", "-selection", "clipboard", "-in", "-target", target), given
    raise Refused(
        "No program for the clipboard is here: install wl-clipboard (Wayland) or xclip (X11),"
        " or name a file with -o."
    )


def _script(plain: str, html: str) -> str:
    """AppleScript that sets the clipboard; texts stand in hexadecimal, so that none acts as a command."""
    forms = [f"«class utf8»:«data utf8{plain.encode().hex()}»"]
    if html:
        forms.append(f"«class HTML»:«data HTML{html.encode().hex()}»")
    return f"set the clipboard to {{{', '.join(forms)}}}\n"


def _parts(plain: str, html: str) -> str:
    """Text and HTML in base64, one line each; the HTML has the header with byte counts that Windows wants."""
    whole = ""
    if html:
        start = len(_HEAD.format(0, 0, 0, 0))
        begins = start + len(_BEFORE)
        ends = begins + len(html.encode())
        whole = f"{_HEAD.format(start, ends + len(_AFTER), begins, ends)}{_BEFORE}{html}{_AFTER}"
    return "\n".join(base64.b64encode(text.encode()).decode() for text in (plain, whole)) + "\n"
