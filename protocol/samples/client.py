"""Plays a whole game of any ruleset at random, checks its view, and comes back after a drop.

python client.py ws://HOST:PORT/ws create RULESET    or, with the id that it prints, join TABLE
"""

import json, random, sys, time  # noqa: E401, I001
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect
from view import View


def choose(shape, default, items=(), least=0, most=0, **_):  # an answer that fits a prompt
    legal = [index for index, item in enumerate(items) if item.get("legal", True)]
    if shape == "one":
        return random.choice(legal)
    if shape == "some":
        return random.sample(legal, random.randint(least, min(most, len(legal))))
    return random.randint(least, most) if shape == "number" else default  # others: as proposed


def reply(got, known, view, wish):  # what to send; `known` is what it takes to come back
    decide = {"type": "decide", "command": f"{random.random()}"}
    match got:
        case {"type": "welcome", "place": None, "secret": secret}:
            known.setdefault("secret", secret)
            return wish
        case {"type": "welcome" | "joined", "place": place}:
            known["stream"] = place["stream"]
            print("table", place["info"]["table"], flush=True)
        case {"type": "view" | "events" as kind, "n": n}:
            known["n"] = n
            return None if view.take(got) or kind == "view" else {"type": "resync"}
        case {"type": "prompt", "prompt": prompt}:
            return {**decide, "prompt": prompt["id"], "answer": choose(**prompt)}
        case {"type": "answer", "code": "refused", "prompt": prompt}:
            return {**decide, "prompt": prompt["id"], "answer": prompt["default"]}
        case {"type": "rejected" | "error"} | {"type": "answer", "command": "enter", "ok": False}:
            sys.exit(f"refused: {got}")
    return None


url, verb, name = sys.argv[1:]
wish = {"table": name} if verb == "join" else {"ruleset": name, "seats": [{}, {}]}
known, view, wait = {}, View(), 0.25
while wait < 60:  # over as many connections as it takes
    try:
        with connect(url, subprotocols=["longfuse.1.json"], max_size=None) as socket:
            socket.send(json.dumps({"type": "hello", "name": "Py", "resume": known or None}))
            while (got := json.loads(socket.recv()))["type"] != "over":
                wait = 0.25
                if sent := reply(got, known, view, {"type": verb, "command": "enter", **wish}):
                    socket.send(json.dumps(sent))
            socket.send(json.dumps({"type": "leave", "command": "leave"}))
            sys.exit(print("winner", got["winner"], got["reason"]))
    except (OSError, WebSocketException) as error:
        closed = getattr(error, "rcvd", None)
        if closed and closed.code not in (1001, 1005, 1011, 1012, 1013, 1014):
            raise  # it would not help to come back
    time.sleep(wait := wait * (1 + random.random()))
sys.exit("the server does not come back")
