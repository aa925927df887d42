"""Plays a whole game of any ruleset at random, and comes back after a drop.

python client.py ws://HOST:PORT/ws create RULESET    opens a table, and prints its id
python client.py ws://HOST:PORT/ws join TABLE        joins one
"""

import json, random, sys, time  # noqa: E401, I001
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect


def choose(shape, default, items=(), least=0, most=0, **_):  # an answer that fits a prompt
    legal = [index for index, item in enumerate(items) if item.get("legal", True)]
    if shape == "one":
        return random.choice(legal)
    if shape == "some":
        return random.sample(legal, random.randint(least, min(most, len(legal))))
    if shape == "order":
        return random.sample(range(len(items)), len(items))
    return random.randint(least, most) if shape == "number" else default  # divide: as proposed


def replies(got, known, wish):  # what to send; `known` is what it takes to come back
    match got:
        case {"type": "welcome", "place": None}:
            known["secret"] = got["secret"] or known["secret"]
            yield wish
        case {"type": "welcome" | "joined", "place": place}:
            known["stream"] = place["stream"]
            print("table", place["info"]["table"], flush=True)
        case {"type": "view" | "events"}:
            known["n"] = got["n"]
        case {"type": "prompt", "prompt": prompt} | {"code": "refused", "prompt": prompt}:
            answer = choose(**prompt) if got["type"] == "prompt" else prompt["default"]
            decide = {"type": "decide", "command": f"{random.random()}"}
            yield {**decide, "prompt": prompt["id"], "answer": answer}
        case {"type": "rejected" | "error"} | {"command": "enter", "ok": False}:
            sys.exit(f"refused: {got}")


url, verb, name = sys.argv[1:]
wish = {"table": name} if verb == "join" else {"ruleset": name, "seats": [{}, {}]}
known, wait = {}, 0.25
while wait < 60:  # over as many connections as it takes
    try:
        with connect(url, subprotocols=["longfuse.1.json"], max_size=None) as socket:
            socket.send(json.dumps({"type": "hello", "name": "Py", "resume": known or None}))
            while (got := json.loads(socket.recv()))["type"] != "over":
                wait = 0.25
                for message in replies(got, known, {"type": verb, "command": "enter", **wish}):
                    socket.send(json.dumps(message))
            socket.send(json.dumps({"type": "leave", "command": "leave"}))
            print("winner", got["winner"], got["reason"])
            sys.exit()
    except (OSError, WebSocketException) as error:
        closed = getattr(error, "rcvd", None)
        if closed and closed.code not in (1001, 1011, 1012):  # it would not help to come back
            raise
    time.sleep(wait := wait * (1 + random.random()))
sys.exit("the server does not come back")
