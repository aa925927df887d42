"""The session's table."""

import itertools

import pytest

from longfuse_protocol import messages as m
from longfuse_protocol.errors import OutOfOrder
from longfuse_protocol.prompts import Prompt
from longfuse_protocol.session import EVENTS, TRANSITIONS, Session, State, event_of

INFO = m.TableInfo(table="t", ruleset="r", status="waiting", seats=())
HASH = "0" * 64

PLACE = m.Place(info=INFO, seat=0, stream="t/0")
WATCHING = m.Place(info=INFO, seat=None, stream="t/spectator")


def welcome(place=None):
    """Build a welcome, to the lobby or back to a place."""
    return m.Welcome(
        session="s",
        secret="x",
        name="Ada",
        server="x",
        message_bytes_max=1,
        at_ms=0,
        resume_s=60,
        place=place,
    )


ONE_OF_EACH = {
    "hello": m.Hello(name="Ada"),
    "ping": m.Ping(),
    "browse": m.Browse(),
    "catalogue": m.Catalogue(command="a", ruleset="r"),
    "replay": m.Replay(command="a", game="t.1"),
    "create": m.Create(command="a", ruleset="r", seats=(m.SeatWish(),)),
    "join": m.Join(command="a", table="t"),
    "spectate": m.Spectate(command="a", table="t"),
    "pair": m.Pair(command="a", ruleset="r"),
    "unpair": m.Unpair(command="a"),
    "leave": m.Leave(command="a"),
    "ready": m.Ready(command="a"),
    "choose_deck": m.ChooseDeck(command="a", deck="d"),
    "nonce_hash": m.NonceHash(game="t.1", commitment=HASH, hash=HASH),
    "nonce": m.Nonce(game="t.1", nonce=HASH),
    "decide": m.Decide(command="a", prompt=1, answer=0),
    "take_back": m.TakeBack(command="a"),
    "concede": m.Concede(command="a"),
    "offer": m.MakeOffer(command="a", kind="draw"),
    "respond": m.Respond(command="a", kind="draw", accept=True),
    "unpause": m.Unpause(command="a"),
    "settings": m.Settings(command="a", passing=m.Passing()),
    "resync": m.Resync(),
    "say": m.Say(command="a", text="hello"),
    "mute": m.Mute(command="a"),
    "report": m.Report(command="a", line=1),
    "welcome": welcome(),
    "welcome back": welcome(PLACE),
    "welcome back as spectator": welcome(WATCHING),
    "rejected": m.Rejected(code="unknown_session", text="x"),
    "pong": m.Pong(nonce=0, at_ms=0),
    "answer": m.Answered(command="a", ok=True),
    "answer refused": m.Answered(command="a", ok=False),
    "error": m.Failed(code="malformed", text="x"),
    "error to the wish": m.Failed(code="malformed", text="x", command="wish"),
    "notice": m.Notice(kind="drain", text="x"),
    "tables": m.Tables(tables=(), rulesets=()),
    "cards": m.Cards(command="a", ruleset="r", catalogue={}),
    "replayed": m.Replayed(command="a", game="t.1", viewer="spectator", frames=(), last=True),
    "joined": m.Joined(place=PLACE),
    "joined as spectator": m.Joined(place=WATCHING),
    "left": m.Left(table="t"),
    "unpaired": m.Unpaired(),
    "table": m.TableChanged(info=INFO),
    "presence": m.Presence(seat=0, name="Ada", here=False),
    "ready_check": m.ReadyCheck(ready=(False,), until_ms=0),
    "commitment": m.Commitment(
        game="t.1",
        counter=0,
        ruleset="r",
        rules_version="v",
        decks=(),
        commitment=HASH,
        until_ms=0,
    ),
    "nonce_hashes": m.NonceHashes(game="t.1", hashes=(), commitments=(), until_ms=0),
    "nonces": m.Nonces(game="t.1", nonces=()),
    "revealed": m.Revealed(game="t.1", secret=HASH),
    "view": m.Snapshot(n=0, view={}, digest=""),
    "events": m.Events(n=1, events=[], changes={}, digest="", shared=""),
    "prompt": m.Asked(n=1, prompt=Prompt(id=1, seat=0, shape="one", kind="k", text="?", default=0)),
    "passed": m.Passed(prompt=1, rule="x"),
    "settings_kept": m.PassingSet(passing=m.Passing()),
    "clock": m.Clock(at_ms=0, seats=()),
    "offers": m.Offers(offers=()),
    "over": m.Over(n=1, winner=0, reason="x"),
    "said": m.Said(room="seats", line=0, seat=0, name="Ada", text="x", at_ms=0),
}
PAIRS = list(itertools.product(State, sorted(EVENTS)))


def in_state(state):
    """Return a session that is in a state."""
    session = Session()
    session.state = state
    session.wish = "wish"
    return session


def test_there_is_one_message_of_each_event():
    """Every message means something to the session, and the samples below cover all of it."""
    assert {event_of(message, "wish"): event for event, message in ONE_OF_EACH.items()} == {
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
        assert all(one.value in caught.value.text for one in State if event in TRANSITIONS[one])
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


@pytest.mark.parametrize("event", ["decide", "take_back", "concede", "offer", "settings", "say"])
def test_commands_only_at_a_table(event):
    """Commands to a game belong to those who are at a table, spectators included."""
    legal = {state for state in State if event in TRANSITIONS[state]}

    assert legal == {State.SEATED, State.WATCHING}


def test_what_was_under_way_may_arrive_while_leaving():
    """Whatever a table can send to a seat may still arrive when the seat has begun to leave."""
    from_table = set(TRANSITIONS[State.SEATED]) - {"leave"}
    from_client = {
        event_of(message, "wish") for message in ONE_OF_EACH.values() if _is_ours(message)
    }

    assert from_table - from_client <= set(TRANSITIONS[State.LEAVING])


def _is_ours(message):
    return type(message) in m.ClientMessage.__args__


@pytest.mark.parametrize("state", [State.SEATED, State.WATCHING])
def test_a_place_can_be_lost(state):
    """A server may take a place away, or end the waiting for one, without being asked."""
    assert TRANSITIONS[state]["left"] is State.LOBBY
    assert TRANSITIONS[State.PAIRING]["unpaired"] is State.LOBBY


@pytest.mark.parametrize("wish", ["create", "join", "spectate", "pair"])
def test_a_wish_that_the_server_could_not_read_leads_back_to_the_lobby(wish):
    """An error with the wish's own id ends the waiting; one about anything else does not."""
    session = in_state(State.LOBBY)
    waiting = session.step(ONE_OF_EACH[wish])
    session.step(m.Failed(code="malformed", text="x", command="another"))
    assert session.state is waiting
    session.step(m.Failed(code="malformed", text="x", command=ONE_OF_EACH[wish].command))

    assert session.state is State.LOBBY
