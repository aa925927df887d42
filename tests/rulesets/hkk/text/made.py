"""Texts put together at random, in both languages at once."""

from __future__ import annotations

from hypothesis import strategies as st

from longfuse.rulesets.hkk.text_say_words import FORMS

Pair = tuple[str, str]

ADJECTIVES: list[Pair] = [
    ("", ""), ("", ""), ("friendly ", "saját "), ("enemy ", "ellenséges "),
    ("passive ", "passzív "), ("damaged ", "sebzett "), ("enemy active ", "ellenséges aktív "),
    ("friendly attacking ", "saját támadó "),
]  # fmt: skip
KINDS = ("permanent", "creature", "building", "item", "skill", "location", "enchantment")
POSTS: list[Pair] = [
    ("", ""), ("", ""), (" with cost 3 or less", "legfeljebb 3 költségű "),
    (" with damage 2 or more", "legalább 2 sebzésű "),
    (" with delayed effect counters on it", "késleltetett hatás jelzős "),
]  # fmt: skip
ARTICLES: list[Pair] = [("a", "egy"), ("each", "minden"), ("up to 2", "legfeljebb 2")]
TRIGGERS: list[Pair] = [
    ("When another creature dies", "Amikor egy másik lény meghal"),
    ("When an enemy building enters play", "Amikor egy ellenséges épület játékba kerül"),
    ("When you play a spell", "Amikor kijátszol egy varázslatot"),
    ("When your opponent draws a card", "Amikor az ellenfeled húz egy lapot"),
    ("At the start of your preparation phase", "Az előkészítő fázisod kezdetén"),
    ("In each preparation phase", "Minden előkészítő fázisban"),
    ("At the end of your opponent's turn", "Az ellenfeled körének végén"),
    ("When this leaves play", "Amikor ez a lap elhagyja a játékot"),
]
CONDITIONS: list[Pair] = [
    ("you control no creatures", "nincs lényed"),
    ("you control 2 or more passive creatures", "legalább 2 passzív lényed van"),
    ("your opponent controls a damaged creature", "az ellenfelednek van sebzett lénye"),
    ("you have 5 or less life", "legfeljebb 5 életpontod van"),
    ("your opponent has 4 or more cards in hand", "legalább 4 lap van az ellenfeled kezében"),
    ("it is your opponent's turn", "az ellenfeled köre van"),
    ("this is passive", "ez a lap passzív"),
]
PLAIN_STEPS: list[Pair] = [
    ("draw a card", "húzz egy lapot"),
    ("gain 2 life for each enemy creature", "nyerj 2 életpontot minden ellenséges lény után"),
    ("your opponent discards 2 cards", "az ellenfeled dobjon el 2 lapot"),
    ("each player loses 1 life", "minden játékos veszítsen 1 életpontot"),
    ("gain 1 VP", "nyerj 1 VP-t"),
    ("your opponent can't play spells until end of turn",
     "az ellenfeled nem játszhat ki varázslatot a kör végéig"),
    ("create a “Mudling” token", "hozz létre egy „Sárfi” jelzőt"),
]  # fmt: skip
# A step with an object: English, Hungarian, and the case of its object.
STEPS = [
    ("deal 2 damage to {}", "okozz 2 sebzést {}", "dat"),
    ("destroy {}", "pusztíts el {}", "acc"),
    ("return {} to its owner's hand", "tegyél vissza {} a tulajdonosa kezébe", "acc"),
    ("turn {}", "fordíts el {}", "acc"),
    ("make {} active", "tegyél aktívvá {}", "acc"),
    ("put a temporary effect counter on {}", "tegyél egy időleges hatás jelzőt {}", "sub"),
    ("remove all delayed effect counters from {}",
     "vedd le az összes késleltetett hatás jelzőt {}", "del"),
    ("double the delayed effect counters on {}",
     "kétszerezd meg a késleltetett hatás jelzők számát {}", "sup"),
    ("take control of {} until end of turn", "vedd át {} irányítását a kör végéig", "nom"),
    ("{} can't attack until the start of your next turn",
     "{} nem támadhat a következő köröd kezdetéig", "nom"),
    ("the activated abilities of {} do not function until end of turn",
     "{} aktiválást kívánó képességei nem működnek a kör végéig", "nom"),
    ("give {} +2 damage and -1 life until end of turn",
     "adj {} +2 sebzést és -1 életet a kör végéig", "dat"),
]  # fmt: skip
STATEMENTS: list[Pair] = [
    ("your creatures get +1 damage", "lényeid +1 sebzést kapnak"),
    ("your other passive creatures have Swift", "a többi passzív lényed Gyorsaság képességet kap"),
    ("enemy creatures can't become active", "az ellenséges lények nem válhatnak aktívvá"),
    ("the delayed abilities of enemy buildings do not function",
     "az ellenséges épületek késleltetett képességei nem működnek"),
    ("players can't gain life", "egyik játékos sem nyerhet életpontot"),
    ("enemy spells cost 1 VP more", "az ellenséges varázslatok 1 VP-vel többe kerülnek"),
    ("no counters may be put on this", "ez a lap nem kaphat jelzőt"),
]  # fmt: skip
COSTS: list[Pair] = [
    ("1 VP", "1 VP"), ("turn this", "fordítsd el ezt a lapot"),
    ("2 VP, sacrifice a creature", "2 VP, áldozz fel egy lényt"),
    ("discard a card, lose 1 life", "dobj el egy lapot, veszíts 1 életpontot"),
]  # fmt: skip
GATES: list[Pair] = [
    ("", ""), ("Delayed effect 2: ", "Késleltetett hatás: 2: "),
    ("Temporary effect 3: ", "Időleges hatás: 3: "),
]  # fmt: skip


@st.composite
def object_steps(draw: st.DrawFn) -> Pair:
    """An instruction with an object, in both languages."""
    english, hungarian, case = draw(st.sampled_from(STEPS))
    adjective, kind = draw(st.sampled_from(ADJECTIVES)), draw(st.sampled_from(KINDS))
    post, article = draw(st.sampled_from(POSTS)), draw(st.sampled_from(ARTICLES))
    several = article[0] == "up to 2"
    noun = f"{adjective[0]}{kind}{'s' if several else ''}{post[0]}"
    noun = noun.replace("on it", "on them") if several else noun
    lead = "an" if article[0] == "a" and noun[0] in "aeiou" else article[0]
    theirs = f"{article[1]} {adjective[1]}{post[1]}{FORMS[case][kind]}"
    return english.format(f"{lead} {noun}"), hungarian.format(theirs)


steps = st.one_of(st.sampled_from(PLAIN_STEPS), object_steps())


@st.composite
def sentences(draw: st.DrawFn) -> Pair:
    """One instruction or two, perhaps optional, perhaps with a condition."""
    found = draw(st.lists(steps, min_size=1, max_size=2))
    first, second = " and ".join(one for one, _ in found), " és ".join(one for _, one in found)
    if draw(st.booleans()) and not any("can't" in one or "do not" in one for one, _ in found):
        first, second = f"you may {first}", f"ha akarod, {second}"
    if draw(st.booleans()):
        condition = draw(st.sampled_from(CONDITIONS))
        first, second = f"if {condition[0]}, {first}", f"ha {condition[1]}, {second}"
    return f"{first}.", f"{second}."


@st.composite
def lines(draw: st.DrawFn) -> Pair:
    """A line of a permanent."""
    gate = draw(st.sampled_from(GATES))
    match draw(st.sampled_from(["statement", "triggered", "activated"])):
        case "statement":
            body = draw(st.sampled_from(STATEMENTS))
            if draw(st.booleans()):
                condition = draw(st.sampled_from(CONDITIONS))
                body = (f"as long as {condition[0]}, {body[0]}", f"amíg {condition[1]}, {body[1]}")
            pair = (f"{body[0]}.", f"{body[1]}.")
        case "triggered":
            front, then = draw(st.sampled_from(TRIGGERS)), draw(sentences())
            pair = (f"{front[0]}, {then[0]}", f"{front[1]}, {then[1]}")
        case _:
            cost, then = draw(st.sampled_from(COSTS)), draw(sentences())
            more = draw(sentences()) if draw(st.booleans()) else ("", "")
            pair = (f"{cost[0]}: {then[0]} {more[0]}", f"{cost[1]}: {then[1]} {more[1]}")
    return gate[0] + pair[0], gate[1] + pair[1]
