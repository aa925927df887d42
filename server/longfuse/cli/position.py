"""Run position files: `longfuse position run FILE…`.

A position file says: these cards, in these places, these decisions; then this must hold. Per file
it is told whether it holds; with --json as objects with `id`, `result` (`holds`, `fails`,
`unreadable`, `error`), `step`, `expected`, `found`, `clauses`.

Exit codes: 0 all hold; 1 some fail; 2 a file is wrong (all its errors are listed); 3 a card's text
cannot be compiled. Of several, 2 comes before 1 and 1 before 3.
"""
