"""A game's entries, kept so that reading them back gives the same game; replay, verify, explain."""
