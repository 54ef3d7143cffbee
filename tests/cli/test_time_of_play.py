"""`--when` at the shell: the log prints it, in every copy; a clap is compared with times of its own sort."""

from __future__ import annotations

import json

from tests.cli.shell import Shell


def test_the_log_prints_the_time_of_play_for_every_viewer(shell: Shell) -> None:
    shell.done("say", "Zel", "--when", "2026-03-01T19:42+01:00:", "Later.")

    for viewer in ((), ("--for", "table")):
        logged = shell.done("log", "-n", "2", *viewer).splitlines()
        assert [line.endswith(" (played 2026-03-01 19:42+01:00)") for line in logged] == [False, True]
        first, last = map(json.loads, shell.done("log", "--json", "-n", "2", *viewer).splitlines())
        assert (last["when"], "when" in first) == ("2026-03-01T19:42+01:00", False)


def test_a_clap_is_compared_with_times_of_its_own_sort(shell: Shell) -> None:
    shell.done("end", "session")
    shell.done("session", "Sun", "--when", "2026-03-01T19:40")
    shell.done("say", "Zel", "--when", "2026-03-01T19:42:", "Not today.")
    shell.done("mark", "clap", "--when", "2026-03-01T19:41")
    shell.done("mark", "now")

    told = shell.done("export", "-f", "srt", "--clap", "clap=0:12")
    assert told.startswith("1\n00:01:12,000 --> ")
    refused = shell.say("export", "-f", "srt", "--clap", "now=0:12")
    assert refused.code != 0
    assert "The session has no times like that of now, which is known as it was recorded." in refused.err


def test_a_slip_is_one_sentence(shell: Shell) -> None:
    assert shell.refused("say", "Zel", "--when", "yesterday:", "Later.").startswith("--when takes a day")
    assert shell.refused("session", "--when", "2026-02-30").startswith("There is no day 2026-02-30")


def test_a_replay_counts_by_it(shell: Shell) -> None:
    shell.done("end", "session")
    shell.done("session", "Sun", "--when", "2026-03-01T19:40")
    shell.done("say", "Zel", "--when", "2026-03-01T19:42:", "Not today.")

    told = json.loads(shell.done("export", "-f", "json"))
    assert told["opened"] == "2026-03-01T19:40:00.000000Z"
    assert '"seconds": 120' in json.dumps(told)
