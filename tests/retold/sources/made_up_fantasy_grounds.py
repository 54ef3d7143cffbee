"""A made-up `chatlog.html` of Fantasy Grounds: three starts in the light and the dark colours."""

from __future__ import annotations

GREETINGS = (
    "5E ruleset v{version} for Fantasy Grounds&#10;Copyright 2015 Smiteworks USA, LLC",
    "Tides and Ferries Theme v1.0\\rfor Fantasy Grounds\\rCopyright 2015 Nobody.",
    "Lamps of the Coast by Odd.",
)
LIGHT = {"story": "#880000", "said": "#000066", "roll": "#660066", "aside": "#005500", "notice": "#261A12"}
DARK = {"story": "#000000", "said": "#000000", "roll": "#FDFDFD", "aside": "#7CED7C", "notice": "#000000"}


def line(colour: str, words: str, shown: str = "") -> str:
    return f'<font color="{colour}">{words}</font>{f" [{shown}]" if shown else ""}<br />'


def greeting(colour: str, version: str) -> list[str]:
    return [line(colour, words.format(version=version)) for words in GREETINGS]


def as_log() -> str:
    """Log of the game master's computer."""
    old, new = LIGHT, DARK
    rows = [
        "<br />",
        "<b>Chat log started at 28.2.2026 / 19:40:12</b><br/>",
        "<br />",
        *greeting(old["story"], "3.1.7"),
        line(old["roll"], "'Jon' connected"),
        line(old["story"], "The ferry has not moved since noon.&#13;Its lamp is lit all the same."),
        line(old["said"], "Zel: Somebody is aboard: look."),
        line(old["said"], "Pell [Infernal]: Not today."),
        line(old["story"], "Zel looks up at the lamp"),
        line(old["roll"], "GM: ", "2d6+1 = 8"),
        line(old["roll"], "Zel: [ATTACK (M)] Boathook", "1d20+5 = 17"),
        line(old["notice"], "Attack [17] -&#62; [at Old Ferryman] [HIT]"),
        line(old["roll"], "Zel: [DAMAGE (M)] Boathook [TYPE: piercing (1d8+1=6)]", "1d8+1 = 6"),
        line(old["roll"], "Damage [6] -&#62; [to Old Ferryman] [STATUS: Wounded]"),
        line(old["roll"], "Trap: Spikes: [SAVE] Dexterity [vs. DC 15]", "1d20-1 = 4"),
        line(old["roll"], "GM: [TABLE] Ferries: Challenge 0-4 = ", "1d100 = 43"),
        line(old["roll"], "Pell: [CAST] Lamp [at Old Ferryman]"),
        line(old["aside"], "Ann (Pell): one moment"),
        line(old["notice"], "[TURN] Zel"),
        line(old["roll"], "Pell: [CHECK] Wisdom [EFFECTS 1d6]", "1d20+1p6+4 = 17"),
        line(old["roll"], "Pell: [SKILL] Stealth [ADV]", "1g20+2 = 12"),
        line(old["roll"], "GM: [DAMAGE] Brew [TYPE: acid (2=2)]", " = 2"),
        line(old["roll"], "Zel: [DEATH]", "7"),
        "<<<<<<< mended by hand",
        "<br />",
        "<b>Chat log started at 1.3.2026 / 00:10:00</b><br/>",
        "<br />",
        *greeting(old["story"], "3.1.8"),
        line(old["said"], "Zel: Late, but here."),
        "<br />",
        '<a name="2026-03-01" /><b>Session started at 2026-03-01 / 19:40</b>',
        "<br />",
        "<br />",
        *greeting(new["notice"], "4.0.0"),
        line(new["roll"], "Campaign saved. (2s)"),
        line(new["said"], "Zel: And the lamp?"),
        line(new["said"], " -&#62; Zel: It is no lamp."),
        line(new["roll"], "Pell: [TOWER] [CHECK] Wisdom", "d20+1 = 9"),
        line(new["roll"], "Zel: [ATTACK (M)] Boathook [DIS] [DROPPED 15] [AUTOMATIC MISS]", "r20+5 = 6"),
        line(new["roll"], "Zel: ", "4d6d1 = 13"),
        line(new["roll"], "Zel: ", "2d20k1+5 = 17"),
        line(new["roll"], "Old Ferryman: [DAMAGE (M)] Oar [TYPE: bludgeoning (1d8+1=8)]", "8 = 8"),
        line(new["aside"], " (Pell): back again &#60;3"),
        line(new["notice"], "[TURN] Old Ferryman"),
        line(new["story"], "Pell pulls the rope"),
        line(new["notice"], "Effect ['Prone: Wet'] -&#62; [to Pell]"),
        line(new["roll"], "[understood by: Zel]"),
        '<font color="#000000">A line that goes on\nin the next one.</font><br />',
        line("#123456", "Jon (Zel): another colour"),
        line("#123456", "Ann (Pell): of another theme"),
        line("#123456", "and more of it"),
        line(new["said"], "GM:"),
        "",
    ]
    return "\r\n".join(rows)


FILES = {"fantasy-grounds.html": lambda _: as_log()}
