"""Strategies for messages: values of every field of every message, within their limits."""

from hypothesis import strategies as st

from longfuse_protocol import messages as m
from longfuse_protocol.errors import Code
from longfuse_protocol.prompts import Item, Prompt

INT = st.integers(-m.INTEGER_MAX, m.INTEGER_MAX)
COUNT = st.integers(0, m.INTEGER_MAX)
SEAT = st.integers(0, 15)
TEXT = st.text(max_size=20)
WORD = st.text(min_size=1, max_size=20)
SHOWN = st.characters(exclude_categories=["Cc", "Cf", "Cs", "Zl", "Zp"])
ANSWER = INT | st.lists(INT, max_size=5).map(tuple)
PLAIN = st.none() | st.booleans() | INT | TEXT | st.lists(INT, max_size=3)
ENTITY = st.dictionaries(TEXT, PLAIN, max_size=3)
ITEM = st.builds(
    Item, TEXT, legal=st.booleans(), reason=TEXT, about=st.lists(TEXT, max_size=2).map(tuple)
)
PROMPT = st.builds(
    Prompt,
    id=COUNT,
    seat=SEAT,
    shape=st.sampled_from(["one", "some", "order", "divide", "number"]),
    kind=TEXT,
    text=TEXT,
    items=st.lists(ITEM, max_size=3).map(tuple),
    least=INT,
    most=INT,
    total=INT,
    bounds=st.lists(st.tuples(INT, INT), max_size=3).map(tuple),
    source=TEXT,
    clause=TEXT,
    default=ANSWER,
)
INFO = st.builds(
    m.TableInfo,
    table=WORD,
    ruleset=WORD,
    status=st.sampled_from(["waiting", "playing", "over", "suspended"]),
    seats=st.lists(
        st.builds(m.SeatInfo, kind=st.sampled_from(["open", "bot", "player", "gone"]), name=TEXT),
        max_size=3,
    ).map(tuple),
    spectators=COUNT,
)
RULESET = st.builds(m.RulesetInfo, name=WORD, title=TEXT, options=ENTITY)
WISH = st.builds(m.SeatWish, kind=st.sampled_from(["open", "bot"]), bot=TEXT)
OPTIONS = st.dictionaries(WORD, st.booleans() | INT | TEXT, max_size=3)
CODE = st.sampled_from([str(code) for code in Code])

FROM_CLIENT = {
    m.Hello: st.builds(
        m.Hello, name=st.text(SHOWN, min_size=1, max_size=20), client=st.text(SHOWN, max_size=20)
    ),
    m.Browse: st.builds(m.Browse),
    m.Create: st.builds(
        m.Create,
        command=WORD,
        ruleset=WORD,
        seats=st.lists(WISH, min_size=1, max_size=3).map(tuple),
        sit=st.none() | SEAT,
        options=OPTIONS,
    ),
    m.Join: st.builds(m.Join, command=WORD, table=WORD, seat=st.none() | SEAT),
    m.Spectate: st.builds(m.Spectate, command=WORD, table=WORD),
    m.Leave: st.builds(m.Leave, command=WORD),
    m.Decide: st.builds(m.Decide, command=WORD, prompt=COUNT, answer=ANSWER),
    m.TakeBack: st.builds(m.TakeBack, command=WORD),
    m.Concede: st.builds(m.Concede, command=WORD),
    m.Resync: st.builds(m.Resync),
    m.Ping: st.builds(m.Ping, nonce=COUNT),
}
FROM_SERVER = {
    m.Welcome: st.builds(m.Welcome, session=TEXT, name=TEXT, server=TEXT, message_bytes_max=COUNT),
    m.Tables: st.builds(
        m.Tables,
        tables=st.lists(INFO, max_size=2).map(tuple),
        rulesets=st.lists(RULESET, max_size=2).map(tuple),
        bots=st.lists(TEXT, max_size=2).map(tuple),
    ),
    m.TableChanged: st.builds(m.TableChanged, info=INFO),
    m.Joined: st.builds(m.Joined, info=INFO, seat=st.none() | SEAT, stream=TEXT),
    m.Left: st.builds(m.Left, table=TEXT),
    m.Snapshot: st.builds(
        m.Snapshot, n=COUNT, view=st.dictionaries(TEXT, ENTITY, max_size=3), digest=TEXT
    ),
    m.Events: st.builds(
        m.Events,
        n=COUNT,
        events=st.lists(ENTITY, max_size=2),
        changes=st.dictionaries(TEXT, st.none() | ENTITY, max_size=3),
        digest=TEXT,
        shared=TEXT,
    ),
    m.Asked: st.builds(m.Asked, n=COUNT, prompt=PROMPT),
    m.Answered: st.builds(
        m.Answered,
        command=TEXT,
        ok=st.booleans(),
        code=CODE,
        reason=TEXT,
        asked=st.none() | SEAT,
        prompt=st.none() | PROMPT,
    ),
    m.Failed: st.builds(m.Failed, code=CODE, text=TEXT, field=TEXT, command=TEXT),
    m.Over: st.builds(m.Over, n=COUNT, winner=st.none() | SEAT, reason=TEXT),
    m.Pong: st.builds(m.Pong, nonce=COUNT),
    m.Notice: st.builds(m.Notice, kind=st.sampled_from(["drain", "suspended"]), text=TEXT),
}
