"""The load harness: many clients that play on a server, check what they see, and measure it.

`plan` says what is done; `run` has it done by worker processes (`processes`, `worker`), whose
`table`s play, `checks` look at every message, and `meter` counts; `report` tells what came of it.
It uses the reference client as anybody may, and knows nothing of how the server works.
"""
