"""A game of any ruleset: state, zones, objects, prompts, publishing, randomness, views, the log."""
