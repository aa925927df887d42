"""What travels between a Longfuse server and its clients, and the reference client.

This package imports nothing of the server. `prompts`, `answers` and `views` say what a game asks
and shows; `messages`, `codec`, `errors` and `session` are the wire; `client` is the one module
with tasks and sockets in it.
"""
