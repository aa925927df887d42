"""The card-text compiler: what any ruleset shares.

`tokens` cuts a text, `peg` runs grammars, `tree` is what they yield, `reader` reads a card's lines
with them, `errors` says why a text was refused, `check` holds programs to the vocabulary. A ruleset
brings its grammar, its builders, and the words in which abilities are said back.
"""
