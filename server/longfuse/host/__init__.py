"""The server: connections, tables and the lobby around games that it knows only through ports."""
