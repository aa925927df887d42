"""Passing: what the server is to pass for the player, set and listed in words.

Owns the words for it. The settings are the server's; what is shown here is what it says they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import get_args

from msgspec.structs import replace

from longfuse.cli.play_desk import Desk
from longfuse.cli.play_words import HelpRow, Word, is_done
from longfuse_protocol.client import Client, Event
from longfuse_protocol.messages import Passed, Passing, PassingSet
from longfuse_protocol.passing import Interrupt, Stop, Until, Whose, as_sent

UNSET = "Nothing is changed"
WHOSE: Mapping[str, Whose] = {"my": "own", "their": "others", "any": "any"}
WHOSE_WORDS: Mapping[Whose, str] = {"own": "your", "others": "another's", "any": "any"}
MODES = {"on": "smart", "off": "ask", "all": "pass"}
MODE_WORDS = {
    "smart": "Where you can only pass, it is done for you. `auto off` ends that.",
    "ask": "You are asked even where you can only pass. `auto on` ends that.",
    "pass": "Every chance is passed but at stops and interrupts. `auto on` ends that.",
}
INTERRUPTS: Sequence[Interrupt] = get_args(Interrupt)


class PassingWords:
    """The player's words about passing."""

    title = "Passing"
    help = (
        HelpRow("auto on|off|all", "pass for you where nothing else is possible, never, or always"),
        HelpRow("pass until PHASE", "pass until then; also `pass until my PHASE`, or `their`"),
        HelpRow("stop PHASE", "always ask in this phase; also `stop my PHASE`, or `their`"),
        HelpRow("yield [NAME]", "always pass to this while it waits on the chain"),
        HelpRow("interrupts …", f"what is asked about all the same: {', '.join(INTERRUPTS)}, none"),
        HelpRow("passing", "list all this, numbered"),
        HelpRow("revoke N|until|all", "end one of these, or all"),
    )

    def __init__(self, client: Client, desk: Desk, phases: Sequence[str]) -> None:
        """phases: those of the ruleset, in the order of a turn."""
        self._client = client
        self._desk = desk
        self._screen = desk.screen
        self._phases = phases
        self._until = ""

    @property
    def words(self) -> Mapping[str, Word]:
        """What can be typed."""
        return {
            "auto": self._auto,
            "pass": self._pass,
            "stop": self._stop,
            "yield": self._yield,
            "interrupts": self._interrupts,
            "passing": self._passing,
            "revoke": self._revoke,
        }

    def hear(self, event: Event) -> None:
        """Note what was passed and why; say why passing has ended."""
        if isinstance(event, Passed):
            self._desk.book.remark(f"(Passed for you. {event.rule[:1].upper()}{event.rule[1:]}.)")
        elif isinstance(event, PassingSet):
            if event.stopped:
                self._screen.aside(f"{event.stopped.rstrip('.')}.", "strong")
            elif self._until and not event.until:
                self._screen.aside(f"Over: {self._until}.", "dim")
            self._until = event.until

    @property
    def _now(self) -> Passing:
        kept = self._client.passing
        return Passing() if kept is None else as_sent(kept.passing)

    async def _set(self, passing: Passing, told: str) -> bool:
        if await self._is_set(passing):
            self._screen.line(told)
        return True

    async def _is_set(self, passing: Passing) -> bool:
        self._until = ""  # what the player ends, nobody needs to be told of
        return await is_done(self._screen, self._client.settings(passing), UNSET)

    # ------------------------------------------------------------ the words

    async def _auto(self, rest: str) -> bool:
        mode = MODES.get(rest)
        if mode is None:
            self._screen.line(MODE_WORDS[self._now.mode])
            return True
        return await self._set(replace(self._now, mode=mode), MODE_WORDS[mode])

    async def _pass(self, rest: str) -> bool:
        until, _, where = rest.partition(" ")
        if until != "until":
            return False
        found = self._phase(where)
        if found is None:
            return True
        phase, whose = found
        wish = replace(self._now, until=Until(phase, whose))
        if await self._is_set(wish) and self._until:
            self._screen.line(f"{self._until}. `revoke until` ends that.")
        return True

    async def _stop(self, rest: str) -> bool:
        found = self._phase(rest)
        if found is None:
            return True
        stop = Stop(*found)
        if stop in self._now.stops:
            self._screen.line("That is set already: `passing` lists all.")
            return True
        told = f"You are always asked in {_at(stop)}."
        return await self._set(replace(self._now, stops=(*self._now.stops, stop)), told)

    async def _yield(self, rest: str) -> bool:
        prompt = self._desk.prompt
        name = rest or (prompt.source if prompt is not None else "")
        if not name:
            self._screen.line("Nothing waits that you are asked about. Yield to what? `yield NAME`")
            return True
        if name in self._now.yields:
            self._screen.line("That is set already: `passing` lists all.")
            return True
        told = f"You always pass to {name}."
        return await self._set(replace(self._now, yields=(*self._now.yields, name)), told)

    async def _interrupts(self, rest: str) -> bool:
        words = rest.replace(",", " ").split()
        kinds = tuple(kind for kind in INTERRUPTS if kind in words)
        if not words or (words != ["none"] and len(kinds) != len(set(words))):
            self._screen.line(f"`interrupts` and any of {', '.join(INTERRUPTS)}; or `none`.")
            return True
        told = f"You are asked about: {', '.join(kinds)}."
        if not kinds:
            told = "Nothing interrupts passing now, not even an attack: that is risky."
        return await self._set(replace(self._now, interrupts=kinds), told)

    async def _passing(self, _: str) -> bool:
        now, kept = self._now, self._client.passing
        self._screen.line(MODE_WORDS[now.mode])
        listed = [f"stop in {_at(stop)}" for stop in now.stops]
        listed += [f"yield to {name}" for name in now.yields]
        self._screen.numbered((str(n), text) for n, text in enumerate(listed, 1))
        if now.until is not None and kept is not None:
            self._screen.line(f"{kept.until}: `revoke until` ends that.")
        told = ", ".join(now.interrupts) or "nothing: that is risky"
        self._screen.line(f"You are asked all the same about: {told}.")
        return True

    async def _revoke(self, rest: str) -> bool:
        now = self._now
        if rest == "all":
            return await self._set(Passing(), "All is as it was at first.")
        if rest == "until":
            return await self._set(replace(now, until=None), "You are asked again.")
        at = int(rest[:4]) - 1 if rest.isdecimal() else -1
        if not 0 <= at < len(now.stops) + len(now.yields):
            self._screen.line("`revoke` and a number that `passing` shows; or `until`, or `all`.")
            return True
        more = at - len(now.stops)
        if more < 0:
            stops = now.stops[:at] + now.stops[at + 1 :]
            return await self._set(replace(now, stops=stops), "That stop is gone.")
        yields = now.yields[:more] + now.yields[more + 1 :]
        return await self._set(replace(now, yields=yields), "You are asked about that again.")

    def _phase(self, words: str) -> tuple[str, Whose] | None:
        """The phase that is named, and whose; None, having said so, if there is none."""
        first, _, rest = words.partition(" ")
        whose = WHOSE.get(first, "any")
        name = (rest if first in WHOSE else words).strip().casefold()
        begins = [phase for phase in self._phases if phase.casefold().startswith(name)]
        exact = [phase for phase in begins if phase.casefold() == name]
        if not self._phases:
            self._screen.line("This game has no phases at which passing could stop or end.")
        elif not name or len(exact or begins) != 1:
            self._screen.line(f"Which phase? One of {', '.join(self._phases)}.")
        else:
            return (exact or begins)[0], whose
        return None


def _at(stop: Stop) -> str:
    return f"{WHOSE_WORDS[stop.whose]} {stop.phase}"
