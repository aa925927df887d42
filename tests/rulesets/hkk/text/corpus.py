"""Sentences in both languages that mean the same: (type of card, English, Hungarian)."""

from __future__ import annotations

from longfuse.abilities.ability import Ability
from longfuse.rulesets.hkk.cards import shipped
from longfuse.rulesets.hkk.text import TextError, compile_text

Meaning = tuple[Ability, ...]

PAIRS = [
    # ------------------------------------------------------------ gates: all six combinations
    ("building", "Delayed effect 2: Your creatures get +2 damage.",
     "Késleltetett hatás: 2: Lényeid +2 sebzést kapnak."),
    ("building", "Delayed effect: 1: When a creature dies, draw a card.",
     "Késleltetett hatás 1: Amikor egy lény meghal, húzz egy lapot."),
    ("item", "Delayed effect 3: 1 VP: Deal 1 damage to a creature.",
     "Késleltetett hatás: 3: 1 VP: Okozz 1 sebzést egy lénynek."),
    ("building", "Temporary effect 2: Enemy creatures can't attack.",
     "Időleges hatás: 2: Az ellenséges lények nem támadhatnak."),
    ("building", "Temporary effect 2: In your preparation phase, gain 2 VP.",
     "Időleges hatás: 2: Az előkészítő fázisodban nyerj 2 VP-t."),
    ("item", "Temporary effect 1: 2 VP, turn this: Destroy a damaged creature.",
     "Időleges hatás: 1: 2 VP, fordítsd el ezt a tárgyat: pusztíts el egy sebzett lényt."),
    ("skill", "Delayed effect 3: Draw two cards.", "Késleltetett hatás: 3: Húzz két lapot."),
    ("creature", "Temporary cost 2: 1 VP.", "Időleges költség: 2: 1 VP."),
    ("creature", "Temporary cost 3: 1 VP, discard a card.",
     "Időleges költség: 3: 1 VP, dobj el egy lapot."),
    # ------------------------------------------------------------ keywords and statements
    ("creature", "Flying.", "Repülés."),
    ("creature", "Flying, Swift and Steadfast.", "Repülés, Gyorsaság és Kitartás."),
    ("building", "Your other creatures get +1 damage and +1 life.",
     "A többi lényed +1 sebzést és +1 életet kap."),
    ("building", "Other creatures get -1 damage.", "Minden más lény -1 sebzést kap."),
    ("building", "Your creatures have Swift.", "Lényeid Gyorsaság képességet kapnak."),
    ("building", "Passive creatures can't become active.",
     "A passzív lények nem válhatnak aktívvá."),
    ("building", "Enemy creatures with cost 3 or more can't stand in the guard post.",
     "Az ellenséges legalább 3 költségű lények nem állhatnak őrposzton."),
    ("creature", "This can't be chosen by your opponent.",
     "Ez a lap nem lehet az ellenfeled célpontja."),
    ("skill", "Your creatures cost 1 VP less.", "Lényeid 1 VP-vel kevesebbe kerülnek."),
    ("skill", "Enemy spells cost 2 VP more.", "Az ellenséges varázslatok 2 VP-vel többe kerülnek."),
    ("skill", "The abilities of enemy buildings do not function.",
     "Az ellenséges épületek képességei nem működnek."),
    ("skill", "The activated abilities of creatures don't function.",
     "A lények aktiválást kívánó képességei nem működnek."),
    ("skill", "No counters may be put on enemy permanents.",
     "Az ellenséges permanensek nem kaphatnak jelzőt."),
    ("skill", "Your opponent can't play instants.", "Az ellenfeled nem játszhat ki azonnalit."),
    ("skill", "Your opponent can't draw cards.", "Az ellenfeled nem húzhat lapot."),
    ("skill", "Players can't gain life.", "Egyik játékos sem nyerhet életpontot."),
    ("skill", "Your spells deal 1 more damage.", "Varázslataid +1 sebzést okoznak."),
    ("skill", "The on-play abilities of your creatures come about twice.",
     "Lényeid kijátszáskori képességei kétszer jönnek létre."),
    ("creature", "As long as you control another creature, this gets +2 damage.",
     "Amíg van másik lényed, ez a lény +2 sebzést kap."),
    ("creature", "As long as this is passive, this can't take damage.",
     "Amíg ez a lap passzív, ez a lap nem kaphat sebzést."),
    ("creature", "As long as your opponent controls 3 or more creatures, this gets +3 life.",
     "Amíg az ellenfelednek legalább 3 lénye van, ez a lap +3 életet kap."),
    # ------------------------------------------------------------ automatic
    ("creature", "When you play this, you may draw a card.",
     "Amikor kijátszod ezt a lapot, ha akarod, húzz egy lapot."),
    ("creature", "When another friendly creature dies, gain 1 life.",
     "Amikor egy másik saját lény meghal, nyerj 1 életpontot."),
    ("creature", "When this leaves play, your opponent loses 2 life.",
     "Amikor ez a lény elhagyja a játékot, az ellenfeled veszítsen 2 életpontot."),
    ("building", "When your opponent plays a spell, you may turn a creature.",
     "Amikor az ellenfeled kijátszik egy varázslatot, ha akarod, fordíts el egy lényt."),
    ("building", "When you play a creature with cost 4 or more, draw a card.",
     "Amikor kijátszol egy legalább 4 költségű lényt, húzz egy lapot."),
    ("building", "When an enemy creature dies, its controller discards a card.",
     "Amikor egy ellenséges lény meghal, a gazdája dobjon el egy lapot."),
    ("building", "When a friendly creature dies, return it to its owner's hand.",
     "Amikor egy saját lény meghal, tedd vissza azt a tulajdonosa kezébe."),
    ("building", "At the start of your preparation phase, if you have 5 or less life, gain 2 life.",
     "Az előkészítő fázisod kezdetén, ha legfeljebb 5 életpontod van, nyerj 2 életpontot."),
    ("building", "At the end of each turn, deal 1 damage to each creature.",
     "Minden kör végén okozz 1 sebzést minden lénynek."),
    ("building", "At the end of your opponent's turn, heal each friendly creature. Once each turn.",
     "Az ellenfeled körének végén gyógyíts meg minden saját lényt. Körönként egyszer."),
    ("building", "When a temporary effect counter is removed from another permanent, gain 1 VP.",
     "Amikor lekerül egy időleges hatás jelző egy másik permanensről, nyerj 1 VP-t."),
    ("building",
     "When the last delayed effect counter falls off a friendly permanent, draw a card.",
     "Amikor az utolsó késleltetett hatás jelző leesik egy saját permanensről, húzz egy lapot."),
    ("building", "When delayed effect counters are put on an enemy permanent, destroy it.",
     "Amikor késleltetett hatás jelző kerül egy ellenséges permanensre, pusztítsd el azt."),
    ("building", "When you draw a card, if your opponent has 4 or more cards in hand, gain 1 life.",
     "Amikor húzol egy lapot, ha legalább 4 lap van az ellenfeled kezében, nyerj 1 életpontot."),
    ("creature", "If this would take damage, prevent 1 of it.",
     "Ha ez a lap sebzést kapna, abból 1 sebzést védj ki."),
    ("building", "If a friendly creature would take damage, prevent it.",
     "Ha egy saját lény sebzést kapna, védd ki."),
    ("creature", "If this would die, put this into the Nothing instead.",
     "Ha ez a lap meghalna, ehelyett dobd ezt a lapot a Semmibe."),
    # ------------------------------------------------------------ activated
    ("item", "1 VP, sacrifice a creature: Draw 2 cards. Once each turn.",
     "1 VP, áldozz fel egy lényt: húzz 2 lapot. Körönként egyszer."),
    ("item", "Sacrifice this: Prevent the playing of an enemy spell. You may use this at any time.",
     "Áldozd fel ezt a lapot: akadályozd meg egy ellenséges varázslat kijátszását."
     " Ezt bármikor használhatod."),
    ("item", "Remove a temporary effect counter from this: Gain 1 VP.",
     "Vegyél le egy időleges hatás jelzőt erről a lapról: nyerj 1 VP-t."),
    ("creature", "Lose 2 life: This gets +2 damage until end of turn.",
     "Veszíts 2 életpontot: ez a lap +2 sebzést kap a kör végéig."),
    ("creature", "0 VP: This becomes a copy of another creature.",
     "0 VP: ez a lap egy másik lény másolatává válik."),
    # ------------------------------------------------------------ enchantments
    ("enchantment", "Enchant a creature.\nThe enchanted creature gets +2 damage.",
     "Bűvölj meg egy lényt.\nA megbűvölt lény +2 sebzést kap."),
    ("enchantment",
     "Enchant an enemy permanent.\nThe abilities of the enchanted permanent do not function.",
     "Bűvölj meg egy ellenséges permanenst.\nA megbűvölt permanensnek a képességei nem működnek."),
    # ------------------------------------------------------------ spells
    ("spell", "Deal 3 damage to a creature. Its controller loses 1 life.",
     "Okozz 3 sebzést egy lénynek. A gazdája veszítsen 1 életpontot."),
    ("spell", "Deal 2 damage to your opponent.", "Okozz 2 sebzést az ellenfelednek."),
    ("spell", "Destroy an enemy creature or building.",
     "Pusztíts el egy ellenséges lényt vagy épületet."),
    ("spell", "Return up to 2 creatures to their owners' hands.",
     "Tegyél vissza legfeljebb 2 lényt a tulajdonosa kezébe."),
    ("spell", "Return a creature from your discard to your hand.",
     "Tegyél vissza egy lényt a gyűjtődből a kezedbe."),
    ("spell", "Put a creature from your discard into play.",
     "Hozz játékba egy lényt a gyűjtődből."),
    ("spell", "Put a creature with cost 3 or less from your discard into play without counters.",
     "Hozz játékba egy legfeljebb 3 költségű lényt a gyűjtődből jelzők nélkül."),
    ("spell", "Take control of an enemy creature.", "Vedd át egy ellenséges lény irányítását."),
    ("spell", "Take control of an enemy creature until end of turn. Make it active.",
     "Vedd át egy ellenséges lény irányítását a kör végéig. Tedd aktívvá azt."),
    ("spell", "Remove all delayed effect counters from a permanent.",
     "Vedd le az összes késleltetett hatás jelzőt egy permanensről."),
    ("spell", "Put two temporary effect counters on a friendly permanent.",
     "Tegyél két időleges hatás jelzőt egy saját permanensre."),
    ("spell", "Double the temporary effect counters on a permanent.",
     "Kétszerezd meg az időleges hatás jelzők számát egy permanensen."),
    ("spell", "Remove a delayed effect counter from each friendly permanent.",
     "Vegyél le egy késleltetett hatás jelzőt minden saját permanensről."),
    ("instant", "The abilities of a permanent do not function until the start of your next turn.",
     "Egy permanens képességei nem működnek a következő köröd kezdetéig."),
    ("instant", "Prevent the next 3 damage to a friendly creature this turn.",
     "Védd ki a következő 3 sebzést, amelyet egy saját lény ebben a körben kap."),
    ("instant", "Give a creature +3 damage until end of turn.",
     "Adj egy lénynek +3 sebzést a kör végéig."),
    ("instant", "Deal 1 damage to a creature. Deal 1 damage to another creature.",
     "Okozz 1 sebzést egy lénynek. Okozz 1 sebzést egy másik lénynek."),
    ("instant", "Enemy creatures can't attack until end of turn.",
     "Az ellenséges lények nem támadhatnak a kör végéig."),
    ("instant", "Your opponent can't play spells until end of turn.",
     "Az ellenfeled nem játszhat ki varázslatot a kör végéig."),
    ("spell", "Create two “Reed Whelp” tokens.", "Hozz létre két „Reed Whelp” jelzőt."),
    ("spell", "If you control no creatures, draw 2 cards. Gain 1 life for each enemy creature.",
     "Ha nincs lényed, húzz 2 lapot. Nyerj 1 életpontot minden ellenséges lény után."),
    ("spell", "You may discard a card and draw 2 cards. Your opponent draws a card.",
     "Ha akarod, dobj el egy lapot és húzz 2 lapot. Az ellenfeled húzzon egy lapot."),
    ("spell", "Your opponent skips their next preparation phase.",
     "Az ellenfeled hagyja ki a következő előkészítő fázisát."),
    ("spell",
     "Skip your next preparation phase. Put the top 3 cards of your deck into your discard.",
     "Hagyd ki a következő előkészítő fázisodat. Tedd a paklid felső 3 lapját a gyűjtődbe."),
    ("spell", "Move an attacking creature to the reserve, then turn it.",
     "Vigyél egy támadó lényt a tartalékba, majd fordítsd el azt."),
    ("spell", "Put an enchantment into the Nothing.", "Dobj egy bűbájt a Semmibe."),
    ("spell", "Destroy each permanent with temporary effect counters on it.",
     "Pusztíts el minden időleges hatás jelzős permanenst."),
    ("spell", "Each player loses 2 life. Deal 2 damage to each player.",
     "Minden játékos veszítsen 2 életpontot. Okozz 2 sebzést minden játékosnak."),
    # ------------------------------------------------------------ counters as such
    ("building", "When counters are put on a friendly permanent, draw a card.",
     "Amikor jelző kerül egy saját permanensre, húzz egy lapot."),
    ("building", "When a counter is removed from this, gain 1 life.",
     "Amikor lekerül egy jelző erről az épületről, nyerj 1 életpontot."),
    ("building",
     "If temporary effect counters would be put on a friendly permanent, put twice that many"
     " instead.",
     "Ha időleges hatás jelző kerülne egy saját permanensre, ehelyett kétszer annyit tegyél rá."),
    ("building", "If counters would be put on a permanent, put twice that many instead.",
     "Ha jelző kerülne egy permanensre, ehelyett kétszer annyit tegyél rá."),
    ("creature",
     "When you play this, the abilities of an enemy permanent do not function as long as this is in"
     " play.",
     "Amikor kijátszod ezt a lényt, egy ellenséges permanens képességei nem működnek, amíg ez a"
     " lény játékban van."),
]  # fmt: skip
SAME = [
    # Other words for the same, in one language.
    ("building", "Your creatures have +2 damage.", "Your creatures get +2 damage."),
    ("building", "Creatures you control get +1/+2.", "Your creatures get +1 damage and +2 life."),
    ("building", "Your opponent's creatures can't attack.", "Enemy creatures can't attack."),
    ("building", "Permanents can't get counters.", "No counters may be put on permanents."),
    ("building", "Counters can't be put on permanents.", "No counters may be put on permanents."),
    ("building", "Enemy creatures lose all abilities.",
     "The abilities of enemy creatures do not function."),
    ("building", "On-play abilities of your creatures come about one more time.",
     "The on-play abilities of your creatures come about twice."),
    ("building", "Delayed-effect 2: Draw 2.", "Delayed effect 2: Draw two cards."),
    ("building", "Turn: Deal 1 to a creature.", "Turn this: Deal 1 damage to a creature."),
    ("building", "1 magic point: Draw a card. Once per turn.",
     "1 VP: Draw a card. Once each turn."),
    ("building", "At the beginning of your preparation phase, draw a card.",
     "At the start of your preparation phase, draw a card."),
    ("building", "During each preparation phase, draw a card.",
     "In each preparation phase, draw a card."),
    ("creature", "When this comes into play, draw a card.", "When this enters play, draw a card."),
    ("creature", "Flies.", "Flying."),
    ("creature", "Temporary cost 2: pay 1 VP.", "Temporary cost 2: 1 VP."),
    ("spell", "Add two temporary-effect counters to a permanent.",
     "Put two temporary effect counters on a permanent."),
    ("spell", "Play a creature from your discard without paying its cost.",
     "Put a creature from your discard into play."),
    ("spell", "Return a creature from your discard to play.",
     "Put a creature from your discard into play."),
    ("spell", "Gain control of a permanent.", "Take control of a permanent."),
    ("instant", "Prevent an enemy spell in the reaction queue.",
     "Prevent the playing of an enemy spell."),
    ("spell", "Sebezz 2-t egy lényen.", "Okozz 2 sebzést egy lénynek."),
    ("building", "Lényeid +1/+1-et kapnak.", "Lényeid +1 sebzést és +1 életet kapnak."),
    ("building", "Az előkészítő fázisod elején húzz egy lapot.",
     "Az előkészítő fázisod kezdetén húzz egy lapot."),
    ("building", "Az ellenséges lények elveszítik a képességeiket.",
     "Az ellenséges lények képességei nem működnek."),
    ("item", "Elfordítás: húzz egy lapot.", "Fordítsd el ezt a tárgyat: Húzz egy lapot."),
]  # fmt: skip
SIDES = [(kind, text) for kind, *texts in PAIRS for text in texts]


def shipped_sides() -> list[tuple[str, str]]:
    """Every text of the shipped cards, in both languages."""
    return [
        (card.type, text)
        for card in shipped().values()
        for text in (card.text, card.text_hu)
        if text.strip()
    ]


def means(text: str, kind: str) -> Meaning:
    """What a text means, without its words."""
    return tuple(one.meaning() for one in compile_text(text, kind).abilities)


def meaning(kind: str, text: str) -> Meaning | None:
    """What a text means, or None where it is refused."""
    try:
        return means(text, kind)
    except TextError:
        return None
