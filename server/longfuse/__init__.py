"""Longfuse: a server-authoritative card-game server whose heart is delayed abilities.

This package holds no logic of its own. `server/README.md` maps the packages and says which may
import which.
"""
