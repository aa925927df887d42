"""Timing messages, the calendar of marks, windows, records and their expiry. Knows no game, no
trio.
"""
