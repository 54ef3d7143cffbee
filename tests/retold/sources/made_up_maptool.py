"""A made-up evening in MapTool, in the shape of its saved chat."""

from __future__ import annotations

from html import escape

_AVATAR = """\
      <table class="ava-msg">
        <tr valign="top">
          <td class="avatar">
            <img src="asset://0123456789abcdef0123456789abcdef-40">
          </td>
          <td class="message">
            {words}
          </td>
        </tr>
      </table>"""


def _spoken(kind: str, words: str, name: str = "") -> tuple[str, str]:
    """Message beside an avatar, in a player's colour."""
    prefix = f'<span class="prefix">{name}:</span> ' if name else ""
    return kind, _AVATAR.format(words=f'{prefix}<span><font color="#000000">{words}</font></span>')


MESSAGES = (
    _spoken("say", "The ferry has not moved \n            since <b>noon</b>.", "Mary"),
    ("emit", "      Its lamp is lit all the same."),
    _spoken("say", "Somebody is aboard &amp; waits.", "Zel"),
    _spoken("emote", "Zel ties the boat"),
    _spoken("emote", "Pell's lamp goes out"),
    ("ooc", '      Jon: <span><font color="#000000">(( back in five ))</font></span>'),
    ("", "      * Jon rolls: 1d20+5 =&gt; 12 + 5 = 17"),
    ("", "      * Ada rolls: 2d6+1 =&gt; 7 + 1 = 8"),
    ("", "      * Jon rolls to you: 1d20 =&gt; 4"),
    _spoken(
        "say",
        'Boathook: <span class="roll" title="&#171; 1d8+2 = 5 + 2 = 7 &#187;">7</span><br>and a splash',
        "Pell",
    ),
    ("whisper", "      Jon whispers: Is the warder awake?"),
    ("whisper", "      You whisper to Jon: He is."),
    ("to-gm", '      <span class="prefix">Ada says to the GMs:</span> I take the key'),
    ("self", "      The key is false."),
    ("system", "      Ada has connected."),
    ("", "      1d20+ could not be read."),
    _spoken("say", f"<div>{escape('<late>')}</div><!-- and seen -->", "Zel"),
)


def as_page() -> str:
    """Chat that MapTool saved."""
    kinds = (f' class="{kind}"' if kind else "" for kind, _ in MESSAGES)
    rows = "".join(
        f"    <div{kind}>\n{words}\n    </div>\n" for kind, (_, words) in zip(kinds, MESSAGES, strict=True)
    )
    style = "    <style>\n      <!--\n        .emit { font-weight: bold }\n      -->\n    </style>\n"
    return f'<html>\n  <head>\n{style}  </head>\n  <body id="body">\n{rows}  </body>\n</html>\n'


FILES = {"maptool.html": lambda _: as_page()}
