"""How what happens in Counterpoint is noted."""

NOTATIONS = {
    "counterpoint.choice-sealed": "{who} chooses in secret",
    "counterpoint.choices-revealed": "{people} reveal",
    "counterpoint.chosen": "{who} sings {act}{target?, against #}",
    "counterpoint.sung": "{who} sings: {successes} successes",
    "counterpoint.verse-won": "{who} wins verse {verse}",
    "counterpoint.invoked": "{who} invokes",
    "counterpoint.encore-sung": "{who} sings again",
}
