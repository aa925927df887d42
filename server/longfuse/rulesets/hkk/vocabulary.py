"""The words that an hkk card program may use; the one list that compiler and rules share.

Owns names and one sentence each. A program with a word that is not here is refused; a test holds
that each word here is implemented by the rules. Add a word here first, then teach both sides.

How cards are put into abilities:

- "Delayed effect X: …" is an ability with `gate=Gate("delayed", X, "closed")`, "Temporary effect X:
  …" one with `Gate("temporary", X, "open")`; the ability behind it is a passive (continuous), a
  triggered (automatic) or an activated one (127.0.3). A delayed effect that only instructs ("draw
  two cards") is a triggered ability with a gate and `when=None`: it acts at the fall of the last
  counter (D12).
- "Temporary cost X: …" is a keyword ability: `keyword="Temporary cost"`, its `cost`, and
  `Gate("cost", X, "open")`.
- An on-play ability is a triggered one with `When("card played", subject=This())`.
- "At the start of your preparation phase" is `At("preparation", Who("you"))`; "in your preparation
  phase" is `At("in preparation", Who("you"))` (D10, D11).
- What a spell or an instant does is an ability of kind "spell". An enchantment has one, too, whose
  program has the one choice `t1` of what it is put on and no body; its other abilities speak of
  that as `Attached(This(), to_it=False)`.
- Suppression is a passive with `Change("no abilities", of=…)`; with `word` only those of that sort.
- `Ability.timing` is "reaction" for an activated ability that may be used at any time; "" for one
  that is used in one's own main phases, or between the effects of one's own preparation phase. Instants are reactions by their type.
"""

from __future__ import annotations

COUNTERS = {
    "delayed": "delayed-effect counters (127.1)",
    "temporary": "temporary-effect counters (127.2)",
    "cost": "temporary-cost counters (127.0.7; a house rule)",
}

TYPES = {
    "creature": "fights; arrives passive in the reserve",
    "building": "a permanent beside the creatures; arrives passive",
    "item": "a permanent beside the creatures",
    "skill": "a permanent beside the creatures",
    "location": "a permanent beside the creatures",
    "enchantment": "a permanent that is put on another one",
    "spell": "a general spell: done, then discarded",
    "instant": "a spell that may also be played as a reaction",
}

KINDS = {
    "card": "any card or object",
    "permanent": "a card or token in play",
    "creature": "a creature",
    "building": "a building",
    "item": "an item",
    "skill": "a skill",
    "location": "a location",
    "enchantment": "an enchantment",
    "spell": "a general spell or an instant",
    "instant": "an instant",
    "ability": "an ability in the queue",
}

STATES = {
    "passive": "it is turned",
    "active": "it is not turned",
    "damaged": "it has damage on it",
    "token": "it is a stand-alone counter",
    "attacking": "it attacks in the present combat",
    "suppressed": "its abilities do not function",
    "attached": "it is put on something",
    "enchanted": "an enchantment is put on it",
    "has delayed": "delayed-effect counters are on it",
    "has temporary": "temporary-effect counters are on it",
    "has cost": "temporary-cost counters are on it",
    "ripe": "it entered with delayed-effect counters and has none left",
    "played this turn": "it was played this turn",
}

STATS = {
    "damage": "the damage that a creature deals, after all changes",
    "life": "of a creature: what is left of its life; of a player: their life",
    "max life": "a creature's life when it is unhurt, after all changes",
    "wounds": "the damage on a creature",
    "cost": "the printed cost in magic points",
    "delayed": "its delayed-effect counters",
    "temporary": "its temporary-effect counters",
    "cost counters": "its temporary-cost counters",
    "magic": "a player's magic points",
    "hand": "the cards in a player's hand",
    "deck": "the cards in a player's deck",
    "discard": "the cards in a player's discard",
    "creatures": "the creatures that a player controls",
}

ZONES = {
    "board": "in play: reserve, guard post and table, of both players",
    "hand": "a hand",
    "deck": "a deck",
    "top of deck": "the top card of a deck",
    "discard": "a discard",
    "nothing": "the Nothing",
    "chain": "the reaction queue",
    "any": "any zone: wherever the event or reference finds it",
}

PLACES = {
    "": "anywhere in the zone",
    "reserve": "in a reserve",
    "guard": "in a guard post",
    "table": "beside the creatures",
    "here": "where the source is",
    "elsewhere": "not where the source is",
}

MARKS = {
    "turn": "the start of the turn",
    "preparation": "the start of the preparation phase",
    "in preparation": "the second segment of the preparation phase, whose effects the active player"
    " orders",
    "draw": "the draw phase",
    "first main": "the first main phase",
    "exchange": "the exchange",
    "after exchange": "the instants after the exchange",
    "combat": "the combat phase",
    "second main": "the second main phase",
    "healing": "healing",
    "end of turn": "the end of the turn, where 'this turn' ends",
}

# event -> what it is. Facts are named behind it.
HAPPENED = {
    "card played": "a card was played successfully: a permanent came into play by whatever way, a"
    " spell was done; player: who played it; facts: by (hand, effect)",
    "entered": "a permanent entered play",
    "creature died": "a creature went from play to the discard",
    "destroyed": "a permanent went from play to the discard",
    "left play": "a permanent left play; facts: to",
    "damage dealt": "damage was dealt to a creature; facts: amount, combat",
    "player hurt": "a player lost life; facts: combat; amount",
    "life gained": "a player gained life; amount",
    "healed": "damage was removed from a creature",
    "moved": "a creature went to the reserve or the guard post; facts: to",
    "turned": "a permanent became passive",
    "readied": "a permanent became active",
    "attacked": "a creature attacks",
    "counter placed": "counters were put on a permanent; facts: kind, rule (by 127.0.0); amount",
    "counter removed": "counters were taken off a permanent; facts: kind, rule (by 127.0.1); amount",
    "last counter fell": "the last counter of a kind left a permanent; facts: kind",
    "drew": "a player drew a card",
    "discarded": "a player discarded a card",
    "thrown": "a card went to the Nothing",
    "returned": "a card returned to its owner's hand",
    "control changed": "a permanent's controller changed",
    "prevented": "something in the reaction queue was prevented",
    "token made": "a token was made",
    "magic gained": "a player gained magic points; amount",
    "ability used": "an activated ability was used",
    "attached": "an enchantment was put on something; subjects: the enchantment, then that",
    "copied": "a permanent became a copy",
}

PROPOSED = {
    "damage": "damage is about to be dealt to a creature; facts: amount, combat",
    "hurt": "a player is about to lose life; facts: combat; amount",
    "death": "a permanent is about to go to the discard",
    "place": "counters are about to be put on a permanent; facts: kind",
    "remove": "counters are about to be taken off a permanent; facts: kind",
    "draw": "a player is about to draw a card",
    "gain life": "a player is about to gain life; amount",
    "turn": "a permanent is about to become passive",
    "ready": "a permanent is about to become active",
    "return": "a card is about to return to its owner's hand",
    "throw": "a card is about to go to the Nothing",
    "control": "a permanent's controller is about to change",
    "enter": "a permanent is about to enter play; facts: passive",
}

# What a continuous ability may change (`Change.asks`).
ASKED = {
    "damage": "a creature's damage; amount added, or set",
    "life": "a creature's life; amount added, or set",
    "keyword": "a keyword it has: word",
    "no keyword": "a keyword it loses: word",
    "ability": "an ability it has: ability (without counters it does not function, D4)",
    "no abilities": "its abilities do not function: word '' for all, or one of SORTS",
    "controller": "who controls it: who",
    "cost": "what playing it costs: amount magic points added (negative: less)",
    "must not": "an action that is forbidden: word is one of PROHIBITED; who: to whom",
    "on-play count": "how often its on-play abilities come about: amount more; below 0: never",
    "spell damage": "damage that its controller's spells deal more: amount",
}

SORTS = {
    "delayed": "those behind 'delayed effect'",
    "temporary": "those behind 'temporary effect'",
    "other": "those without a gate",
    "automatic": "automatic abilities",
    "activated": "activated abilities",
    "continuous": "continuous abilities",
}

PROHIBITED = {
    "play cards": "play cards; `of` limits which",
    "attack": "attack",
    "guard": "stand in the guard post",
    "ready": "become active",
    "be chosen": "be chosen by the opponent's cards and abilities",
    "be damaged": "be dealt damage",
    "receive counters": "get counters of any kind (127.0.7: but those that come on playing)",
    "use abilities": "use activated abilities",
    "draw": "draw cards",
    "gain life": "gain life",
}

VERBS = {
    "deal": "deal `amount` damage to the creatures `what`",
    "hurt": "`who` loses `amount` life",
    "gain life": "`who` gains `amount` life",
    "heal": "heal `what` (amount None: all damage)",
    "destroy": "`what` goes to its owner's discard",
    "throw": "`what` goes to the Nothing",
    "return": "return `what` to its owner's hand",
    "discard": "`who` discards `amount` cards of their choice, or `what`",
    "draw": "`who` draws `amount`",
    "magic": "`who` gains `amount` magic points",
    "turn": "`what` becomes passive",
    "ready": "`what` becomes active",
    "move": "move the creatures `what` to `to` (reserve, guard) of their controller",
    "place counters": "put `amount` more counters of the kind `word` on `what` (127.0.6)",
    "remove counters": "take `amount` counters of the kind `word` off `what` (None: all; 127.0.5)",
    "double counters": "double the counters of the kind `word` on `what` (127.0.6)",
    "play": "`who` brings the cards `what` into play, which is playing them (D1); word 'without"
    " counters': bare (127.0.4)",
    "prevent": "prevent `what` in the reaction queue",
    "control": "`who` takes control of `what` for as long as it stays in play",
    "copy": "`what` becomes a copy of `to_objects`",
    "token": "`who` makes `amount` tokens of the card named `word`",
    "skip preparation": "`who` skips their next preparation phase",
    "mill": "`who` puts the top `amount` cards of their deck into their discard",
    "look top": "`who` looks at the top `amount` cards of their deck, remembered under `name`",
    "to hand": "put `what` into its owner's hand",
    "to bottom": "put `what` under its owner's deck",
    "win": "`who` wins the game",
    "lose": "`who` loses the game",
}

STATE_WORDS = {
    "active": "the source is active",
    "combat": "it is the combat phase",
    "first turn": "it is your first turn",
}

DURATIONS = {
    "this turn",
    "this combat",
    "this phase",
    "until start of turn",
    "until end of turn",
    "while in zone",
    "while controlled",
    "first of",
    "game",
}

# keyword -> what it takes behind its name
KEYWORDS = {
    # it arrives active
    "Flying": "",
    # it strikes before those without it, and its victim does not strike back
    "Swift": "",
    # attacking does not turn it
    "Steadfast": "",
    # its controller pays in each preparation phase while the counters last, or it is discarded
    # (a house rule)
    "Temporary cost": "cost",
}
