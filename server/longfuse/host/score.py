"""The score of a match: who has won which of its games, and when the match is decided.

The match owns one. It counts, and knows neither games nor people.
"""


class Score:
    """What the games of one match have come to, by seat."""

    def __init__(self, seats: int, best_of: int) -> None:
        self.won = [0] * seats
        self.played = 0
        """Games of this match that are over."""
        self.winner: int | None = None
        """The seat that has won the match, once it is over; None for a drawn one."""
        self._best_of = best_of
        self._gone: set[int] = set()
        self.is_called_off = False
        """It was ended before it was decided, by no seat."""

    def begin(self) -> None:
        """Begin a match anew."""
        self.won = [0] * len(self.won)
        self.played = 0
        self.winner = None
        self._gone.clear()
        self.is_called_off = False

    def count(self, winner: int | None) -> None:
        """Count a game that is over."""
        self.played += 1
        if winner is not None:
            self.won[winner] += 1

    def leave(self, *seats: int) -> None:
        """Hear that seats have left: a match that is not decided is lost to whoever stays."""
        self._gone.update(seats)

    def call_off(self) -> None:
        """Hear that no further game is played: a match that is not decided has no winner."""
        self.is_called_off |= not self.is_decided

    @property
    def is_decided(self) -> bool:
        """Say whether no further game of the match is played."""
        enough = self._best_of // 2
        is_won = max(self.won) > enough or bool(self._gone)
        return self.played >= self._best_of or is_won or self.is_called_off

    def end(self) -> None:
        """Say who has won: the only seat that stayed, or of those that did, who won most games.

        Nobody has won what was called off.
        """
        staying = [seat for seat in range(len(self.won)) if seat not in self._gone]
        most = max((self.won[seat] for seat in staying), default=0)
        leading = [seat for seat in staying if self.won[seat] == most]
        is_sole = len(leading) == 1 and (most > 0 or len(staying) == 1)
        self.winner = leading[0] if is_sole and not self.is_called_off else None
