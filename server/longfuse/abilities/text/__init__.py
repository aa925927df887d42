"""The card-text compiler: what any ruleset shares.

`tokens` cuts a text, `peg` runs grammars, `tree` is what they yield, `errors` says why a text was
refused, `say` prints abilities back as canonical words, `check` holds programs to the vocabulary.
A ruleset brings its grammar and builders.
"""
