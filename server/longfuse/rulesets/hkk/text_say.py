"""Saying abilities in canonical words, in Hungarian or in English.

Owns `say`: reading its words again gives the same ability. It knows the abilities that card texts
make; for another it says so (`Unsaid`).
"""

from __future__ import annotations

from longfuse.abilities.ability import Ability, Cost, Do, Effect, If, May
from longfuse.abilities.nodes import At, Named, Selector, When, Who
from longfuse.rulesets.hkk.text_say_effects import EffectVoice
from longfuse.rulesets.hkk.text_say_nouns import Unsaid
from longfuse.rulesets.hkk.text_say_phrases import COSTS
from longfuse.rulesets.hkk.text_say_words import COUNTERS, EVENTS, GATES, KEYWORDS, MOMENTS

__all__ = ["Unsaid", "say"]


def say(ability: Ability, language: str = "en") -> str:
    """An ability as a card would print it."""
    return Voice(language).ability(ability)


class Voice(EffectVoice):
    """Says one ability."""

    def ability(self, ability: Ability) -> str:
        """A line of a card."""
        self.choices = {one.name: one for one in ability.program.choices}
        self.said = set()
        gate = ability.gate
        lead = "" if gate is None else f"{GATES[self.language][gate.counter]} {gate.count}: "
        text = self._body(ability)
        if ability.once:
            text += " Once each turn." if self.english else " Körönként egyszer."
        if ability.timing == "reaction":
            text += (
                " You may use this at any time." if self.english else " Ezt bármikor használhatod."
            )
        return lead + _capital(text)

    def _body(self, ability: Ability) -> str:
        match ability.kind:
            case "spell":
                return self._spell(ability)
            case "keyword" if ability.keyword == "Temporary cost":
                return f"{self._cost(ability.cost or Cost())}."
            case "keyword":
                return f"{KEYWORDS[self.language][ability.keyword]}."
            case "activated":
                return (
                    f"{self._cost(ability.cost or Cost())}: {self._sentences(ability.program.body)}"
                )
            case "triggered":
                return self._triggered(ability)
            case "passive":
                return self._passive(ability)
            case "replacement":
                return self._replacement(ability)

    def _spell(self, ability: Ability) -> str:
        if ability.program.body:
            return self._sentences(ability.program.body)
        lead = "Enchant" if self.english else "Bűvölj meg"
        return f"{lead} {self.thing(Named('t1'), 'acc')}."

    def _passive(self, ability: Ability) -> str:
        text = f"{self.changes(ability.changes)}."
        if ability.condition is None:
            return text
        lead = "as long as" if self.english else "amíg"
        return f"{lead} {self.condition(ability.condition)}, {text}"

    def _triggered(self, ability: Ability) -> str:
        lead = ""
        if isinstance(ability.when, When):
            lead = f"{self._event(ability.when)}, "
        elif isinstance(ability.when, At):
            plain = not self.english and ability.condition is None and not ability.optional
            lead = self._moment(ability.when) + (" " if plain else ", ")
        if ability.condition is not None:
            lead += f"{self._if()} {self.condition(ability.condition)}, "
        if not ability.optional:
            return lead + self._sentences(ability.program.body, capital=not lead)
        return f"{lead}{self._may()} {self.joined(ability.program.body)}."

    def _replacement(self, ability: Ability) -> str:
        if not isinstance(ability.when, When) or ability.rewrite is None:
            raise Unsaid(repr(ability))
        who = self.happens_to(ability.when.subject, "nom")
        if ability.rewrite.how == "instead":
            step = self.joined(ability.program.body)
            if self.english:
                return f"if {who} would die, {step} instead."
            return f"ha {who} meghalna, ehelyett {step}."
        if ability.rewrite.how == "times":
            return self._twice(ability.when)
        number = ability.rewrite.amount
        if self.english:
            much = "prevent it" if number is None else f"prevent {number} of it"
            return f"if {who} would take damage, {much}."
        much = "védd ki" if number is None else f"abból {number} sebzést védj ki"
        return f"ha {who} sebzést kapna, {much}."

    def _twice(self, when: When) -> str:
        kind = self._kind_in(when)
        kind += " " if kind else ""
        if self.english:
            who = self.happens_to(when.subject, "sub")
            return f"if {kind}counters would be put on {who}, put twice that many instead."
        who = self.happens_to(when.subject, "sub")
        return f"ha {kind}jelző kerülne {who}, ehelyett kétszer annyit tegyél rá."

    def _kind_in(self, when: When) -> str:
        return COUNTERS[self.language].get(str(dict(when.facts).get("kind", "")), "")

    # ------------------------------------------------------------ when

    def _event(self, when: When) -> str:
        event, subject = when.event, when.subject
        if event == "card played" and not isinstance(subject, Selector):
            event += " you!" if not self.english else " you"
        elif isinstance(when.player, Who):
            event += f" {when.player.role}"
        template = EVENTS[self.language][event]
        kind = self._kind_in(when)
        if not kind:
            template = template.replace("{kind} ", "")
        for case in ("nom", "acc", "del", "sub"):
            slot = f"{{what:{case}}}"
            if slot in template:
                template = template.replace(slot, self.happens_to(subject, case))
        return template.replace("{kind}", kind)

    def _moment(self, at: At) -> str:
        whose = at.whose.role if isinstance(at.whose, Who) else "each"
        if not self.english:
            return MOMENTS["hu"][f"{at.mark} {whose}"]
        names = {"you": "your", "opponent": "your opponent's", "each": "each"}
        return MOMENTS["en"][at.mark].replace("{whose}", names[whose])

    def _if(self) -> str:
        return "if" if self.english else "ha"

    def _may(self) -> str:
        return "you may" if self.english else "ha akarod,"

    # ------------------------------------------------------------ costs

    def _cost(self, cost: Cost) -> str:
        phrases = COSTS[self.language]
        number = dict(cost.resources).get("magic", 0)
        found = [phrases["magic"].replace("{n}", str(number))] if cost.resources else []
        choices = {one.name: one.selector for one in cost.choices}
        found += [self._cost_action(action, choices) for action in cost.actions]
        return ", ".join(found) or "0 VP"

    def _cost_action(self, action: Effect, choices: dict[str, Selector | None]) -> str:
        phrases = COSTS[self.language]
        if not isinstance(action, Do):
            raise Unsaid(repr(action))
        if isinstance(action.what, Named):
            selector = choices[action.what.name]
            assert selector is not None
            noun = self.noun(selector, "one" if self.english else "acc", whose=False)
            return self.fill(phrases["sacrifice"], {"a noun": self.a(noun), "acc": noun})
        key = {"destroy": "sacrifice this", "remove counters": "remove"}.get(
            action.verb, action.verb
        )
        number = action.amount if isinstance(action.amount, int) else 1
        return self.fill(phrases[key], self.numbers(number, action.word))

    # ------------------------------------------------------------ instructions

    def _sentences(self, body: tuple[Effect, ...], *, capital: bool = True) -> str:
        found = [f"{self._sentence(one)}." for one in body]
        first = _capital(found[0]) if capital else found[0]
        return " ".join([first, *(_capital(one) for one in found[1:])])

    def _sentence(self, effect: Effect) -> str:
        match effect:
            case If(condition=condition, then=(May(body=body),)):
                return (
                    f"{self._if()} {self.condition(condition)}, {self._may()} {self.joined(body)}"
                )
            case If(condition=condition, then=then):
                return f"{self._if()} {self.condition(condition)}, {self.joined(then)}"
            case May(body=body):
                return f"{self._may()} {self.joined(body)}"
        return self.step(effect)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
