"""The session's table."""

import itertools

import pytest

from longfuse_protocol import messages as m
from longfuse_protocol.errors import OutOfOrder
from longfuse_protocol.session import EVENTS, TRANSITIONS, Session, State, event_of

INFO = m.TableInfo(table="t", ruleset="r", status="waiting", seats=())

ONE_OF_EACH = {
    "hello": m.Hello(name="Ada"),
    "browse": m.Browse(),
    "create": m.Create(command="a", ruleset="r", seats=(m.SeatWish(),)),
    "join": m.Join(command="a", table="t"),
    "spectate": m.Spectate(command="a", table="t"),
    "leave": m.Leave(command="a"),
    "decide": m.Decide(command="a", prompt=1, answer=0),
    "take_back": m.TakeBack(command="a"),
    "concede": m.Concede(command="a"),
    "resync": m.Resync(),
    "ping": m.Ping(),
    "welcome": m.Welcome(session="s", name="Ada", server="x", message_bytes_max=1),
    "tables": m.Tables(tables=(), rulesets=()),
    "table": m.TableChanged(info=INFO),
    "joined": m.Joined(info=INFO, seat=0, stream="t/0"),
    "joined as spectator": m.Joined(info=INFO, seat=None, stream="t/spectator"),
    "left": m.Left(table="t"),
    "view": m.Snapshot(n=0, view={}, digest=""),
    "events": m.Events(n=1, events=[], changes={}, digest="", shared=""),
    "prompt": m.Asked(
        n=1, prompt=m.Prompt(id=1, seat=0, shape="one", kind="k", text="?", default=0)
    ),
    "answer": m.Answered(command="a", ok=True),
    "answer refused": m.Answered(command="a", ok=False),
    "error": m.Failed(code="malformed", text="x"),
    "over": m.Over(n=1, winner=0, reason="x"),
    "pong": m.Pong(nonce=0),
    "notice": m.Notice(kind="drain", text="x"),
}
PAIRS = list(itertools.product(State, sorted(EVENTS)))


def in_state(state):
    """Return a session that is in a state."""
    session = Session()
    session.state = state
    return session


def test_there_is_one_message_of_each_event():
    """Every message means something to the session, and the samples below cover all of it."""
    assert {event_of(message): event for event, message in ONE_OF_EACH.items()} == {
        event: event for event in EVENTS
    }
    assert {type(message) for message in ONE_OF_EACH.values()} == {
        *m.ClientMessage.__args__,
        *m.ServerMessage.__args__,
    }


@pytest.mark.parametrize(("state", "event"), PAIRS, ids=lambda part: getattr(part, "value", part))
def test_every_pair(state, event):
    """Each message in each state either follows the table, or is told and changes nothing."""
    session = in_state(state)
    following = TRANSITIONS[state].get(event)
    if following is None:
        with pytest.raises(OutOfOrder) as caught:
            session.step(ONE_OF_EACH[event])

        assert session.state is state
        assert event in caught.value.text
        assert state.value in caught.value.text
    else:
        assert session.step(ONE_OF_EACH[event]) is following
        assert session.state is following


def test_the_table_names_only_what_there_is():
    """The table has a row for each state, and no event that no message has."""
    assert set(TRANSITIONS) == set(State)
    assert {event for row in TRANSITIONS.values() for event in row} == EVENTS


def test_every_state_can_be_reached():
    """From NEW, messages lead to every state; and from each of them back to the lobby."""

    def reached(start):
        found, fresh = {start}, [start]
        while fresh:
            for following in TRANSITIONS[fresh.pop()].values():
                if following not in found:
                    found.add(following)
                    fresh.append(following)
        return found

    assert reached(State.NEW) == set(State)
    assert all(State.LOBBY in reached(state) for state in State)


@pytest.mark.parametrize("event", ["decide", "take_back", "concede"])
def test_commands_only_at_a_table(event):
    """Commands to a game belong to those who are at a table, spectators included."""
    legal = {state for state in State if event in TRANSITIONS[state]}

    assert legal == {State.SEATED, State.WATCHING}


def test_what_was_under_way_may_arrive_while_leaving():
    """Whatever a table can send to a seat may still arrive when the seat has begun to leave."""
    from_table = {"table", "view", "events", "prompt", "over", "answer", "answer refused"}

    assert from_table <= set(TRANSITIONS[State.LEAVING])
