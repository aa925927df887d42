"""Saying what instructions do and what statements change, in Hungarian or in English.

Owns the phrases' filling: numbers, verbs that agree with who does it, definite objects.
"""

from __future__ import annotations

from typing import Any

from longfuse.abilities.ability import Ability, Change, Create, Do, Duration, Effect, Modes
from longfuse.abilities.nodes import Players, Selector, When, Who
from longfuse.rulesets.hkk.text_names import hungarian
from longfuse.rulesets.hkk.text_say_nouns import NounVoice, Unsaid
from longfuse.rulesets.hkk.text_say_phrases import ACTS, CHANGES, ENDINGS, STEPS
from longfuse.rulesets.hkk.text_say_words import COUNTERS, FORBIDDEN, KEYWORDS, SORTS, WINDOWS


class EffectVoice(NounVoice):
    """Says effects and changes in one language."""

    def joined(self, body: tuple[Effect, ...]) -> str:
        """Instructions of one sentence."""
        return (" and " if self.english else " és ").join(self.step(one) for one in body)

    def step(self, effect: Effect) -> str:
        """One instruction."""
        if isinstance(effect, Create):
            return self._lasting(effect.ability)
        if isinstance(effect, Modes):
            return self._deal_any(effect)
        if not isinstance(effect, Do):
            raise Unsaid(repr(effect))
        if effect.verb in ACTS["en"]:
            return self._act(effect)
        return self._done(effect)

    def _deal_any(self, modes: Modes) -> str:
        """Damage to a permanent or a player: the one choice of that shape."""
        program = modes.options[0][1]
        deal, selector = program.body[0], program.choices[0].selector
        if not isinstance(deal, Do) or selector is None or len(modes.options) != 2:
            raise Unsaid(repr(modes))
        noun = self.noun(selector, "one" if self.english else "dat")
        if self.english:
            return f"deal {deal.amount} damage to {self.a(noun)} or player"
        return f"okozz {deal.amount} sebzést egy {noun} vagy játékosnak"

    def _phrase(self, key: str, about: Any) -> str:
        phrases = STEPS[self.language]
        return phrases[f"{key}!" if self.definite(about) and f"{key}!" in phrases else key]

    def _done(self, do: Do) -> str:
        number, per = self.amount(do.amount if do.amount is not None else 1)
        values = {
            **self.numbers(number, do.word),
            "what": do.what,
            "of": do.to_objects,
            "per": per,
        }
        key = do.verb
        if key == "move":
            key += f" {do.to}"
        elif key == "remove counters" and do.amount is None:
            key = "remove all"
        elif key == "token":
            values["name"] = do.word if self.english else hungarian(do.word)
        values["bare"] = STEPS[self.language]["bare"] if do.word == "without counters" else ""
        values["window"] = ""
        if key not in STEPS[self.language]:
            raise Unsaid(repr(do))
        return self.fill(self._phrase(key, do.what), values)

    def _act(self, do: Do) -> str:
        number, per = self.amount(do.amount if do.amount is not None else 1)
        you = do.who is None or do.who == Who("you")
        values = {**self.numbers(number), "per": per, "x": "" if you else "s"}
        values["their"] = "your" if you else "their"
        values.update(ENDINGS["you" if you else "other"])
        text = self.fill(ACTS[self.language][do.verb], values)
        return text if you or do.who is None else f"{self.player(do.who)} {text}"

    # ------------------------------------------------------------ what lasts

    def _lasting(self, ability: Ability) -> str:
        window = f" {self.window(ability.window)}".replace(" ,", ",") if ability.window else ""
        if ability.kind == "replacement" and isinstance(ability.when, When):
            values: dict[str, Any] = {"what": ability.when.subject, "n": ability.points}
            return self.fill(STEPS[self.language]["shield"], values)
        first = ability.changes[0]
        if first.asks == "controller":
            values = {"what": first.of, "window": window}
            return self.fill(self._phrase("control", first.of), values)
        return self.changes(ability.changes) + window

    def window(self, window: Duration) -> str:
        """How long."""
        if window.how == "while in zone":
            return "as long as this is in play" if self.english else ", amíg ez a lap játékban van"
        who = f" {window.who.role}" if isinstance(window.who, Who) else ""
        return WINDOWS[self.language][window.how + who]

    def changes(self, changes: tuple[Change, ...]) -> str:
        """What a statement changes."""
        first = changes[0]
        phrases = CHANGES[self.language]
        key, values = self._change(first)
        if key == "pump":
            values["pump"] = (" and " if self.english else " és ").join(map(self._plus, changes))
        many = self.plural(first.of)
        values.update(
            of=first.of, have="have" if many else "has", get="get" if many else "gets",
            cost="cost" if many else "costs", nak="", nek="", i="",
        )  # fmt: skip
        if f"{key}!" in phrases and self.definite(first.of) and not self.english:
            key += "!"
        template = phrases[key].replace("{of}", "{of:nom}")
        if many and not self.english:
            template = _in_plural(template)
        return self.fill(template, values)

    def _change(self, change: Change) -> tuple[str, dict[str, Any]]:
        number = change.amount if isinstance(change.amount, int) else 0
        values: dict[str, Any] = {"n": abs(number), "sort": "", "z": ""}
        match change.asks:
            case "damage" | "life":
                return "pump", values
            case "on-play count" if number < 0:
                return "on-play never", values
            case "cost":
                return "less" if number < 0 else "more", values
            case "keyword":
                return "keyword", {**values, "word": KEYWORDS[self.language][change.word]}
            case "no abilities":
                sort = SORTS[self.language][change.word]
                z = "z" if sort[:1] in ("a", "á", "i") and sort else ""
                return "no abilities", {**values, "sort": sort, "z": z}
            case "must not" if change.who is not None:
                values["who"] = self._nobody(change.who)
                if isinstance(change.of, Selector):
                    values["cards"] = self.noun(change.of, "pl" if self.english else "acc")
                return f"player {change.word}", values
            case "must not":
                return f"must not {change.word}", values
        return change.asks, values

    def _nobody(self, who: Players) -> str:
        role = who.role if isinstance(who, Who) else ""
        return FORBIDDEN[self.language][role]

    def _plus(self, change: Change) -> str:
        words = {"damage": "damage", "life": "life"} if self.english else {
            "damage": "sebzést", "life": "életet"}  # fmt: skip
        number = change.amount if isinstance(change.amount, int) else 0
        return f"{'-' if number < 0 else '+'}{abs(number)} {words[change.asks]}"

    def numbers(self, number: int, counter: str = "") -> dict[str, Any]:
        """A number in all the shapes that phrases want, and a kind of counter."""
        kind = COUNTERS[self.language].get(counter, "")
        return {
            "n": number,
            "s": "" if number == 1 else "s",
            "many": ("a" if self.english else "egy") if number == 1 else number,
            "cards": "a card" if number == 1 else f"{number} cards",
            "top": "card" if number == 1 else f"{number} cards",
            "kind": kind,
            "a kind": self.article(kind) if kind else "",
        }


def _in_plural(template: str) -> str:
    """A Hungarian phrase with its verb in the plural."""
    for one, many in (("{nak}", "nak"), ("{nek}", "nek"), ("{i}", "i")):
        template = template.replace(one, many)
    return template
