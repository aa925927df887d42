"""The words of both languages for saying abilities: nouns with their cases, phrases by tag.

Owns tables only. A phrase is a template: `{what:acc}` stands for the object in that case (English
has none). A Hungarian phrase whose key ends in "!" is for a definite object.
"""

from __future__ import annotations

KINDS = ("card", "permanent", "creature", "building", "item", "skill", "location", "enchantment",
         "spell", "instant")  # fmt: skip
_HUNGARIAN = {
    "nom": "lap permanens lény épület tárgy szakértelem helyszín bűbáj varázslat azonnali",
    "acc": "lapot permanenst lényt épületet tárgyat szakértelmet helyszínt bűbájt varázslatot"
    " azonnalit",
    "dat": "lapnak permanensnek lénynek épületnek tárgynak szakértelemnek helyszínnek bűbájnak"
    " varázslatnak azonnalinak",
    "sub": "lapra permanensre lényre épületre tárgyra szakértelemre helyszínre bűbájra varázslatra"
    " azonnalira",
    "del": "lapról permanensről lényről épületről tárgyról szakértelemről helyszínről bűbájról"
    " varázslatról azonnaliról",
    "sup": "lapon permanensen lényen épületen tárgyon szakértelmen helyszínen bűbájon varázslaton"
    " azonnalin",
    "pl": "lapok permanensek lények épületek tárgyak szakértelmek helyszínek bűbájok varázslatok"
    " azonnalik",
    "yours": "lapjaid permanenseid lényeid épületeid tárgyaid szakértelmeid helyszíneid bűbájaid"
    " varázslataid azonnalijaid",
    "your": "lapod permanensed lényed épületed tárgyad szakértelmed helyszíned bűbájod varázslatod"
    " azonnalid",
    "his": "lapja permanense lénye épülete tárgya szakértelme helyszíne bűbája varázslata"
    " azonnalija",
}
FORMS = {case: dict(zip(KINDS, forms.split(), strict=True)) for case, forms in _HUNGARIAN.items()}
THIS = {"nom": "ez a lap", "acc": "ezt a lapot", "dat": "ennek a lapnak", "sub": "erre a lapra",
        "del": "erről a lapról", "sup": "ezen a lapon"}  # fmt: skip
IT = {"nom": "az a lap", "acc": "azt", "dat": "annak", "sub": "arra", "del": "arról", "sup": "azon"}
THEM = {"nom": "azok", "acc": "azokat", "dat": "azoknak", "sub": "azokra", "del": "azokról",
        "sup": "azokon"}  # fmt: skip
FORBIDDEN = {
    "en": {"opponent": "your opponent", "each player": "players"},
    "hu": {"opponent": "az ellenfeled nem", "each player": "egyik játékos sem"},
}
COUNTERS = {
    "en": {"delayed": "delayed effect", "temporary": "temporary effect", "cost": "temporary cost"},
    "hu": {"delayed": "késleltetett hatás", "temporary": "időleges hatás",
           "cost": "időleges költség"},
}  # fmt: skip
GATES = {
    "en": {"delayed": "Delayed effect", "temporary": "Temporary effect", "cost": "Temporary cost"},
    "hu": {"delayed": "Késleltetett hatás:", "temporary": "Időleges hatás:",
           "cost": "Időleges költség:"},
}  # fmt: skip
STATES = {
    "en": {
        "passive": "passive",
        "active": "active",
        "damaged": "damaged",
        "attacking": "attacking",
    },
    "hu": {"passive": "passzív", "active": "aktív", "damaged": "sebzett", "attacking": "támadó"},
}
KEYWORDS = {
    "en": {"Flying": "Flying", "Swift": "Swift", "Steadfast": "Steadfast"},
    "hu": {"Flying": "Repülés", "Swift": "Gyorsaság", "Steadfast": "Kitartás"},
}
STATS_HU = {"cost": "költségű", "damage": "sebzésű", "life": "életű"}
PLAYERS = {
    "en": {"opponent": "your opponent", "each player": "each player", "you": "you"},
    "hu": {"opponent": "az ellenfeled", "each player": "minden játékos", "you": ""},
}
WINDOWS = {
    "en": {
        "this turn": "until end of turn",
        "this combat": "until end of combat",
        "this phase": "until the end of the phase",
        "until start of turn you": "until the start of your next turn",
        "until end of turn you": "until the end of your next turn",
        "until start of turn opponent": "until the start of your opponent's next turn",
        "until end of turn opponent": "until the end of your opponent's next turn",
    },
    "hu": {
        "this turn": "a kör végéig",
        "this combat": "a harc végéig",
        "this phase": "a fázis végéig",
        "until start of turn you": "a következő köröd kezdetéig",
        "until end of turn you": "a következő köröd végéig",
        "until start of turn opponent": "az ellenfeled következő körének kezdetéig",
        "until end of turn opponent": "az ellenfeled következő körének végéig",
    },
}
SORTS = {
    "en": {"": "", "delayed": "delayed ", "temporary": "temporary ", "automatic": "automatic ",
           "activated": "activated ", "continuous": "continuous "},
    "hu": {"": "", "delayed": "késleltetett ", "temporary": "időleges ",
           "automatic": "automatikus ", "activated": "aktiválást kívánó ",
           "continuous": "állandóan működő "},
}  # fmt: skip
MOMENTS = {
    "en": {
        "preparation": "at the start of {whose} preparation phase",
        "in preparation": "in {whose} preparation phase",
        "combat": "at the start of {whose} combat phase",
        "end of turn": "at the end of {whose} turn",
    },
    "hu": {
        "preparation you": "az előkészítő fázisod kezdetén",
        "preparation opponent": "az ellenfeled előkészítő fázisának kezdetén",
        "preparation each": "minden előkészítő fázis kezdetén",
        "in preparation you": "az előkészítő fázisodban",
        "in preparation opponent": "az ellenfeled előkészítő fázisában",
        "in preparation each": "minden előkészítő fázisban",
        "combat you": "a harci fázisod kezdetén",
        "combat opponent": "az ellenfeled harci fázisának kezdetén",
        "combat each": "minden harci fázis kezdetén",
        "end of turn you": "a köröd végén",
        "end of turn opponent": "az ellenfeled körének végén",
        "end of turn each": "minden kör végén",
    },
}
EVENTS = {
    "en": {
        "creature died": "when {what:nom} dies", "left play": "when {what:nom} leaves play",
        "entered": "when {what:nom} enters play", "attacked": "when {what:nom} attacks",
        "damage dealt": "when {what:nom} takes damage", "turned": "when {what:nom} becomes passive",
        "readied": "when {what:nom} becomes active",
        "card played you": "when you play {what:acc}",
        "card played opponent": "when your opponent plays {what:acc}",
        "drew you": "when you draw a card", "drew opponent": "when your opponent draws a card",
        "discarded you": "when you discard a card",
        "discarded opponent": "when your opponent discards a card",
        "life gained you": "when you gain life",
        "life gained opponent": "when your opponent gains life",
        "player hurt you": "when you lose life",
        "player hurt opponent": "when your opponent loses life",
        "counter removed": "when a {kind} counter is removed from {what:del}",
        "counter placed": "when {kind} counters are put on {what:sub}",
        "last counter fell": "when the last {kind} counter falls off {what:del}",
    },
    "hu": {
        "creature died": "amikor {what:nom} meghal",
        "left play": "amikor {what:nom} elhagyja a játékot",
        "entered": "amikor {what:nom} játékba kerül", "attacked": "amikor {what:nom} támad",
        "damage dealt": "amikor {what:nom} sebzést kap",
        "turned": "amikor {what:nom} passzívvá válik", "readied": "amikor {what:nom} aktívvá válik",
        "card played you": "amikor kijátszol {what:acc}",
        "card played you!": "amikor kijátszod {what:acc}",
        "card played opponent": "amikor az ellenfeled kijátszik {what:acc}",
        "drew you": "amikor húzol egy lapot", "drew opponent": "amikor az ellenfeled húz egy lapot",
        "discarded you": "amikor eldobsz egy lapot",
        "discarded opponent": "amikor az ellenfeled eldob egy lapot",
        "life gained you": "amikor életpontot nyersz",
        "life gained opponent": "amikor az ellenfeled életpontot nyer",
        "player hurt you": "amikor életpontot veszítesz",
        "player hurt opponent": "amikor az ellenfeled életpontot veszít",
        "counter removed": "amikor lekerül egy {kind} jelző {what:del}",
        "counter placed": "amikor {kind} jelző kerül {what:sub}",
        "last counter fell": "amikor az utolsó {kind} jelző leesik {what:del}",
    },
}  # fmt: skip
