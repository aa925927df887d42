"""Chat at a table: who hears what, who is muted, what is reported."""

import msgspec
import pytest
from structlog.testing import capture_logs

from host.rig import open_rig, playing, until
from longfuse.game.entries import Refused
from longfuse.host import chat
from longfuse.host.chat import Chat
from longfuse_protocol import messages as m
from longfuse_protocol.codec import CODECS
from longfuse_protocol.errors import Code


class Somebody:
    """Somebody who only has a name."""

    def __init__(self, name):
        self.name = name


ADA, BOB = Somebody("Ada"), Somebody("Bob")
SEATS = [ADA, BOB]
EVE, FAY = Somebody("Eve"), Somebody("Fay")
SPECTATORS = [EVE, FAY]


def wall_ms(at):
    """Tell the wall time: the epoch began 1,000 seconds before."""
    return round((at + 1_000) * 1_000)


def talk(**terms):
    """Return the chat of a table where nothing has been said."""
    return Chat("t1", wall_ms, **terms)


def heard(it, line):
    """Name those who hear the line, of all who are there."""
    seats = it.hearers(line.said, SEATS, seated=True)
    return [person.name for person in (*seats, *it.hearers(line.said, SPECTATORS, seated=False))]


def kept(it, name, *, seated, now=0.0):
    """Return what somebody who comes now is told, as texts."""
    return [said.text for said in it.kept(name, seated=seated, now=now)]


def refusal(call, *args, **names):
    """Return the code of the refusal that the call meets."""
    with pytest.raises(Refused) as refused:
        call(*args, **names)
    return refused.value.code


def test_a_line_of_a_seat():
    """All hear what a seat says, the spectators after the table's delay."""
    it = talk(delay_s=30)
    line = it.say("Ada", 0, "good luck", 5)

    assert line.said == m.Said(
        room="seats", line=1, seat=0, name="Ada", text="good luck", at_ms=1_005_000
    )
    assert line.spectators_at == 35
    assert heard(it, line) == ["Ada", "Bob", "Eve", "Fay"]


def test_a_line_of_a_spectator():
    """No seat hears what a spectator says; the others do, without delay."""
    it = talk(delay_s=30)
    line = it.say("Eve", None, "what a hand", 5)

    assert (line.said.room, line.said.seat, line.spectators_at) == ("spectators", None, 5)
    assert heard(it, line) == ["Eve", "Fay"]


def test_a_line_of_spaces():
    """What says nothing is refused, and counts for nothing."""
    it = talk()
    with pytest.raises(Refused, match="says nothing"):
        it.say("Ada", 0, " \u3000 ", 5)

    assert it.say("Ada", 0, "a", 5).said.line == 1


def test_lines_count_by_room():
    """What is said in one room moves no number in the other: seats can't count spectators."""
    it = talk()
    lines = [it.say("Ada", 0, "a", 0), *(it.say("Eve", None, "e", 0) for _ in range(3))]
    lines.append(it.say("Bob", 1, "b", 1))

    assert [(line.said.room, line.said.line) for line in lines] == [
        ("seats", 1),
        ("spectators", 1),
        ("spectators", 2),
        ("spectators", 3),
        ("seats", 2),
    ]


def test_what_is_kept_for_seats():
    """A seat that comes back is told what the seats said, and nothing of the spectators."""
    it = talk(delay_s=30)
    for name, seat, text in (("Ada", 0, "one"), ("Eve", None, "hidden"), ("Bob", 1, "two")):
        it.say(name, seat, text, 0)

    assert kept(it, "Bob", seated=True) == ["one", "two"]


def test_what_is_kept_for_spectators():
    """A spectator that comes late is told both rooms as heard, and nothing of the delay's time."""
    it = talk(delay_s=30)
    it.say("Ada", 0, "at 30", 0)
    it.say("Eve", None, "at 10", 10)
    it.say("Ada", 0, "at 50", 20)
    it.say("Eve", None, "at 40", 40)

    assert kept(it, "Fay", seated=False, now=29) == ["at 10"]
    assert kept(it, "Fay", seated=False, now=30) == ["at 10", "at 30"]
    assert kept(it, "Fay", seated=False, now=50) == ["at 10", "at 30", "at 40", "at 50"]


def test_so_many_lines_are_kept():
    """Of each room the last lines are kept; one room does not push out the other's."""
    it = talk()
    it.say("Ada", 0, "first", 0)
    for turn in range(chat.LINES_MAX + 5):
        it.say("Eve", None, str(turn), turn * chat.LINE_EVERY_S)

    assert kept(it, "Ada", seated=True) == ["first"]
    told = it.kept("Fay", seated=False, now=10**6)
    assert [said.line for said in told] == [1, *range(6, chat.LINES_MAX + 6)]


def test_chat_is_off():
    """Where the terms say so, nobody talks, and there is nothing to report."""
    it = talk(is_on=False)

    assert refusal(it.say, "Ada", 0, "hello", 0) == Code.CHAT_OFF
    assert refusal(it.report, "Ada", 0, 1, "", 0) == Code.CHAT_OFF
    assert kept(it, "Ada", seated=True) == []


def test_nobody_talks_all_the_time():
    """So many lines at once, then one in so many seconds; others may talk meanwhile."""
    it = talk()
    for _ in range(chat.LINES_BURST):
        it.say("Ada", 0, "spam", 10)
    assert refusal(it.say, "Ada", 0, "spam", 10) == Code.TOO_FAST
    assert refusal(it.say, "Ada", 0, "spam", 9.9 + chat.LINE_EVERY_S) == Code.TOO_FAST
    assert it.say("Bob", 1, "hm", 10).said.line == chat.LINES_BURST + 1
    it.say("Ada", 0, "spam", 10 + chat.LINE_EVERY_S)

    with pytest.raises(Refused, match=f"in {chat.LINE_EVERY_S} s"):
        it.say("Ada", 0, "spam", 10 + chat.LINE_EVERY_S)
    for _ in range(chat.LINES_BURST):
        it.say("Ada", 0, "rested", 1_000)


def test_a_crowd_does_not_talk_all_at_once():
    """All in one room together say so many lines, and then so many a second; the other room may."""
    it = talk()
    for number in range(chat.ROOM_BURST):
        it.say(f"Eve {number}", None, "hey", 10)
    with pytest.raises(Refused, match="too many talk here at once; say this again in 1 s"):
        it.say("Fay", None, "well", 10)
    it.say("Ada", 0, "go on", 10)
    for _ in range(chat.LINES_BURST):  # who was refused has said nothing
        it.say("Fay", None, "well", 11)


def test_who_is_silent_leaves_no_trace():
    """Ten thousand people who say one line each, one after the other, do not add up."""
    it = talk()
    for turn in range(10_000):
        it.say(f"guest {turn}", None, "hello", turn)

    assert len(it._paces._rested_at) <= 2 * chat._Paces._TRACES_MIN


def test_muting_somebody():
    """Whoever has muted somebody gets none of those lines, new or kept, until it is undone."""
    it = talk()
    it.mute("Bob", "Ada", muted=True)
    it.mute("Fay", "Ada", muted=True)
    line = it.say("Ada", 0, "blah", 0)
    other = it.say("Bob", 1, "ah", 0)

    assert heard(it, line) == ["Ada", "Eve"]
    assert heard(it, other) == ["Ada", "Bob", "Eve", "Fay"]
    assert kept(it, "Bob", seated=True) == ["ah"]
    it.mute("Bob", "Ada", muted=False)
    assert heard(it, line) == ["Ada", "Bob", "Eve"]
    assert kept(it, "Bob", seated=True) == ["blah", "ah"]


def test_muting_everybody():
    """With "" one hears but oneself; hearing everybody again undoes each mute."""
    it = talk()
    it.mute("Ada", "", muted=True)
    it.mute("Ada", "Bob", muted=True)
    lines = [it.say("Ada", 0, "mine", 0), it.say("Bob", 1, "yours", 0)]
    assert [ADA in it.hearers(line.said, SEATS, seated=True) for line in lines] == [True, False]
    it.mute("Ada", "Bob", muted=False)
    assert kept(it, "Ada", seated=True) == ["mine"]
    it.mute("Ada", "Bob", muted=True)
    it.mute("Ada", "", muted=False)

    assert kept(it, "Ada", seated=True) == ["mine", "yours"]
    assert it._muted == {}


def test_mutes_are_bounded():
    """One may mute so many names, and everybody instead; who is gone leaves nothing."""
    it = talk()
    names = [f"guest {number}" for number in range(chat.MUTED_MAX)]
    for name in names:
        it.mute("Ada", name, muted=True)

    assert refusal(it.mute, "Ada", "one more", muted=True) == Code.TOO_MANY
    it.mute("Ada", names[0], muted=True)
    it.mute("Ada", names[0], muted=False)
    it.mute("Ada", "", muted=True)
    it.mute("Bob", "nobody", muted=False)
    it.forget("Ada")
    it.forget("Ada")
    assert it._muted == {}


def test_a_report():
    """The operator is told what was said, by whom, who reports it and why, once."""
    it = talk()
    with capture_logs() as lines:
        it.say("Ada", 0, "you fool", 5)
        assert lines == []
        for _ in range(2):
            it.report("Bob", 1, 1, "rude", 6)

    assert lines == [
        {
            "event": "chat_reported",
            "log_level": "warning",
            "table": "t1",
            "room": "seats",
            "line": 1,
            "seat": 0,
            "name": "Ada",
            "text": "you fool",
            "said_ms": 1_005_000,
            "by": "Bob",
            "reason": "rude",
        }
    ]
    (report,) = it.reports.values()
    assert (report.said.text, report.by, report.reason) == ("you fool", "Bob", "rude")


def test_only_what_was_heard_is_reported():
    """A line that one can't have heard is as unknown as one that was never said."""
    it = talk(delay_s=30)
    it.say("Ada", 0, "at 30", 0)
    it.say("Eve", None, "to spectators", 0)

    assert refusal(it.report, "Bob", 1, 2, "", 0) == Code.UNKNOWN_LINE
    assert refusal(it.report, "Bob", 1, 1, "", 0, "spectators") == Code.UNKNOWN_LINE
    assert refusal(it.report, "Fay", None, 1, "", 29, "seats") == Code.UNKNOWN_LINE
    it.report("Fay", None, 1, "", 29)
    it.report("Fay", None, 1, "", 30, "seats")
    it.report("Bob", 1, 1, "", 0)
    assert list(it.reports) == [
        ("spectators", 1, "Fay"),
        ("seats", 1, "Fay"),
        ("seats", 1, "Bob"),
    ]


def test_reports_are_bounded():
    """One may report so much, and spectators together; that leaves the seats' reports alone."""
    it = talk()
    for number in range(chat.REPORTS_EACH_MAX + 1):
        it.say("Ada", 0, "blah", number * chat.LINE_EVERY_S)
    numbers = range(1, chat.REPORTS_EACH_MAX + 1)
    names = [f"guest {n}" for n in range(chat.REPORTS_MAX // chat.REPORTS_EACH_MAX)]
    with capture_logs() as logged:
        for name in names:
            for number in numbers:
                it.report(name, None, number, "", 10**6, "seats")
            assert refusal(it.report, name, None, numbers[-1] + 1, "", 10**6, "seats") == (
                Code.TOO_MANY
            )
        assert refusal(it.report, "Eve", None, 1, "", 10**6, "seats") == Code.TOO_MANY
        it.report("Bob", 1, 1, "", 0)

    assert len(it.reports) == len(logged) == chat.REPORTS_MAX + 1


def test_a_report_names_its_room():
    """On the wire a report may name the room of its line; without one it is the reporter's."""
    told = msgspec.json.decode(b'{"command": "c", "line": 3, "room": "seats"}', type=dict)

    assert msgspec.convert(told | {"type": "report"}, m.Report).room == "seats"
    assert m.Report(command="c", line=3).room is None


def test_who_is_renamed_keeps_what_it_said_and_muted():
    """Nobody else gets it with the name: lines, mutes on both sides, and how fast one talked."""
    it = talk()
    for number in range(chat.LINES_BURST):
        it.say("Ada", 0, f"a{number}", 0)
    it.mute("Ada", "Bob", muted=True)
    it.mute("Eve", "Ada", muted=True)
    it.rename("Ada", "Ada 2")

    assert {said.name for said in it.kept("Fay", seated=False, now=0)} == {"Ada 2"}
    assert kept(it, "Eve", seated=False) == []
    assert refusal(it.say, "Ada 2", 0, "more", 0) == Code.TOO_FAST
    line = it.say("Bob", 1, "b", 0)
    assert not it.hearers(line.said, [Somebody("Ada 2")], seated=True)
    assert it.hearers(line.said, [ADA], seated=True)
    line = it.say("Ada", 0, "mine", 0)
    assert it.hearers(line.said, [EVE], seated=False)


@pytest.mark.parametrize("subprotocol", list(CODECS))
async def test_all_that_was_said_is_not_too_much_for_who_comes(subprotocol):
    """However long the lines, who comes late, or comes back, is not cut off by them."""
    async with open_rig() as rig, playing(rig, subprotocol=subprotocol) as (ada, _):
        [table] = rig.running._lobby._tables.values()
        for number in range(chat.LINES_MAX):
            for seat in (0, None):
                table._chat.say(f"{seat} {number}", seat, "\U0001f525" * 500, number - 1_000)
        async with rig.client("Eve", subprotocol) as eve:
            await eve.spectate(ada.place.info.table)
            said = await until(eve, m.Said)
            eve.send(m.Ping(nonce=1))

            assert (await until(eve, m.Pong)).nonce == 1
            assert said.line > 1
        told = table._chat.kept("Eve", seated=False, now=0)

        for room in ("seats", "spectators"):
            lines = [one.line for one in told if one.room == room]
            assert lines == list(range(93, chat.LINES_MAX + 1))
