"""The names of those who are here: nobody looks like somebody else.

`Names` owns who is called what. The server owns one; sessions take a name when they begin and
release it when they end. It knows no connections: whom it renames, it tells by a callback.

What is compared is not the name but what it looks like (`skeletons`). The rules:

- Reserved names, and names whose letters do not belong together, are for nobody.
- The name that a token gives goes before one that a guest says. A user (somebody with such a name)
  who finds a guest under it gets it, and the guest is renamed at once. A guest is refused a
  user's name, also while the user is away.
- Among guests, and among users, the later one gets the name with a number: "Ann 2".
- A user cannot choose what the token says, so is never refused: instead of a name that cannot be
  had, it is "Player".

The names of users who are away are remembered up to AWAY_MAX; beyond it, the one who has been away
longest is forgotten. A restart forgets all of them.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import chain, count

from longfuse.config import ConfigError
from longfuse.game.entries import Refused
from longfuse.host.skeletons import core, skeleton, strange_letters
from longfuse_protocol.errors import Code

RESERVED = (
    *("server", "operator", "longfuse", "moderator", "admin", "administrator", "system"),
    *("seat", "spectator", "nobody"),  # what tables call places and who is not there
)
BASE_CHARS_MAX = 32
"""What is kept of a name that gets a number."""
NUMBERS_TRIED = 100
"""Up to here the lowest free number is looked for; beyond it, numbers are used once."""
AWAY_MAX = 10_000
FALLBACK = "Player"

Renamed = Callable[[Hashable, str], None]


class _Holding:
    """One owner's name."""

    def __init__(self, owner: Hashable, wish: str, *, is_user: bool) -> None:
        self.owner = owner
        self.wish = wish
        """The skeleton of what was asked for."""
        self.is_user = is_user
        self.name = ""
        self.skeleton = ""
        self.times = 1
        """How many sessions of the owner hold it."""


class Names:
    """The registry of names."""

    def __init__(
        self,
        renamed: Renamed,
        *,
        bots: Iterable[str] = (),
        reserved: Iterable[str] = (),
        away_max: int = AWAY_MAX,
    ) -> None:
        """Reserve the server's own names, those of its bots, and the setting `names_reserved`.

        renamed: called with a guest's owner and new name, while `take` gives the old one to a
        user; it must not raise. Raise ConfigError for a reserved name that cannot be one.
        """
        self._renamed = renamed
        reserved = tuple(reserved)
        for name in reserved:
            if not skeleton(name):
                raise ConfigError("names_reserved", name, "a name with a letter or a digit in it")
        self._reserved = {skeleton(name) for name in (*RESERVED, *bots, *reserved)}
        if skeleton(FALLBACK) in self._reserved:
            raise ConfigError("names_reserved", FALLBACK, "the server gives this name itself")
        self._away_max = away_max
        self._here: dict[Hashable, _Holding] = {}
        self._away: dict[Hashable, _Holding] = {}
        """Users; who went last comes last."""
        self._by_skeleton: dict[str, _Holding] = {}
        self._high = count(NUMBERS_TRIED)

    def take(self, wanted: str, owner: Hashable, *, is_user: bool) -> str:
        """Give the owner a name, as near to the one wanted as may be; raise Refused if none may.

        owner: one guest's session, or one user, who may hold a name from several sessions: it
        stays the same until each of them has released it. is_user: whether a token says the name.
        """
        held = self._here.get(owner)
        if held is not None:
            held.times += 1
            return held.name
        name = " ".join(wanted.split())
        wrong = self._wrong(name)
        if wrong:
            if not is_user:
                raise Refused(Code.NAME_TAKEN, f"{name!r} cannot be taken as a name: {wrong}")
            name = FALLBACK
        wish = skeleton(name)
        away = self._away.get(owner)
        if away is not None and away.wish == wish:
            del self._away[owner]
            away.times = 1
            self._here[owner] = away
            return away.name
        other = self._by_skeleton.get(wish)
        if other is not None and other.owner != owner and other.is_user and not is_user:
            raise Refused(Code.NAME_TAKEN, f"{name!r} is, or looks like, a registered user's name")
        self._forget(owner)
        self._give(_Holding(owner, wish, is_user=is_user), name)
        return self._here[owner].name

    def is_users(self, owner: Hashable) -> bool:
        """Say whether the name that the owner has here is one that a token gave."""
        held = self._here.get(owner)
        return held is not None and held.is_user

    def release(self, owner: Hashable) -> None:
        """One session of the owner has ended; nothing happens if it holds no name."""
        held = self._here.get(owner)
        if held is None:
            return
        held.times -= 1
        if held.times:
            return
        del self._here[owner]
        if not held.is_user:
            del self._by_skeleton[held.skeleton]
            return
        self._away[owner] = held
        if len(self._away) > self._away_max:
            self._forget(next(iter(self._away)))

    def _forget(self, owner: Hashable) -> None:
        """Free the name of a user who is away."""
        away = self._away.pop(owner, None)
        if away is not None:
            del self._by_skeleton[away.skeleton]

    def _give(self, holding: _Holding, name: str) -> None:
        """Name somebody: as wanted if that is free, or a guest's whom a user outranks."""
        other = self._by_skeleton.get(holding.wish)
        self._here[holding.owner] = holding
        if other is None:
            self._enter(holding, name)
        elif holding.is_user and not other.is_user:
            self._enter(holding, name)
            self._enter(other, self._numbered(other.name))
            self._renamed(other.owner, other.name)
        else:
            self._enter(holding, self._numbered(name))

    def _enter(self, holding: _Holding, name: str) -> None:
        holding.name = name
        holding.skeleton = skeleton(name)
        self._by_skeleton[holding.skeleton] = holding

    def _numbered(self, name: str) -> str:
        """Return the name with the first number that makes it unlike all others."""
        base = name if len(name) <= BASE_CHARS_MAX else name[:BASE_CHARS_MAX].rstrip()
        if self._wrong(base):
            base = FALLBACK  # what was cut off had made the difference
        return next(
            numbered
            for numbered in _numbers(base, self._high)
            if skeleton(numbered) not in self._by_skeleton and not self._wrong(numbered)
        )

    def _wrong(self, name: str) -> str:
        """Say why nobody may have this name; "" if it may be had."""
        bare = skeleton(name)
        if not bare:
            return "it has no letter or digit in it"
        if bare in self._reserved or skeleton(core(name)) in self._reserved:
            return "it is, or looks like, a reserved name"
        return strange_letters(name)


def _numbers(base: str, high: Iterator[int]) -> Iterator[str]:
    return (f"{base} {number}" for number in chain(range(2, NUMBERS_TRIED), high))
