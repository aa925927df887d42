"""Whether an answer fits its prompt. The server and its clients ask the same function.

Total: for any value of any type it returns a sentence and never raises. It says nothing about who
may answer or when; that is the session's and the game's business.
"""

from collections.abc import Callable, Mapping

from longfuse_protocol.prompts import Prompt, Shape

_SHOWN_MAX = 2**63
"""Numbers beyond this are not written out: the text of a hostile one could be megabytes long."""


def fits(prompt: Prompt, answer: object) -> str:
    """Return "" if `answer` fits `prompt`, else a sentence that names what is wrong with it."""
    return _RULES[prompt.shape](prompt, answer)


def bounds(prompt: Prompt, index: int) -> tuple[int, int]:
    """Return the lowest and the highest amount that an item of a `divide` prompt may get."""
    if not prompt.items[index].legal:
        return (0, 0)
    return prompt.bounds[index] if index < len(prompt.bounds) else (0, prompt.total)


def _one(prompt: Prompt, answer: object) -> str:
    if type(answer) is not int:
        return "The answer must be the index of one item."
    return _index(prompt, answer)


def _some(prompt: Prompt, answer: object) -> str:
    if type(answer) is not tuple:
        return "The answer must be a list of item indices."
    if not prompt.least <= len(answer) <= prompt.most:
        return f"Choose {_span(prompt.least, prompt.most)} items, not {len(answer)}."
    seen: set[int] = set()
    for index in answer:
        if type(index) is not int:
            return "Each index must be a whole number."
        if wrong := _index(prompt, index):
            return wrong
        if index in seen:
            return f"Item {index} is chosen twice."
        seen.add(index)
    return ""


def _order(prompt: Prompt, answer: object) -> str:
    count = len(prompt.items)
    if type(answer) is not tuple:
        return "The answer must be a list of item indices in order."
    if len(answer) != count:
        return f"Order all {count} items, not {len(answer)}."
    seen: set[int] = set()
    for index in answer:
        if type(index) is not int:
            return "Each index must be a whole number."
        if not 0 <= index < count:
            return f"There is no item {_shown(index)}; indices run from 0 to {count - 1}."
        if index in seen:
            return f"Item {index} is named twice."
        seen.add(index)
    return ""


def _divide(prompt: Prompt, answer: object) -> str:
    count = len(prompt.items)
    if type(answer) is not tuple:
        return "The answer must be a list of amounts, one per item."
    if len(answer) != count:
        return f"Give an amount for each of the {count} items, not {len(answer)} amounts."
    total = 0
    for index, amount in enumerate(answer):
        if type(amount) is not int:
            return f"The amount for item {index} must be a whole number."
        if amount and not prompt.items[index].legal:
            return _illegal(prompt, index)
        low, high = bounds(prompt, index)
        if not low <= amount <= high:
            return f"The amount for item {index} must be {_span(low, high)}, not {_shown(amount)}."
        total += amount
    if total != prompt.total:
        return f"The amounts must add up to {prompt.total}, not {_shown(total)}."
    return ""


def _number(prompt: Prompt, answer: object) -> str:
    if type(answer) is not int:
        return "The answer must be a whole number."
    if not prompt.least <= answer <= prompt.most:
        return f"The number must be {_span(prompt.least, prompt.most)}, not {_shown(answer)}."
    return ""


def _index(prompt: Prompt, index: int) -> str:
    count = len(prompt.items)
    if not count:
        return f"There is no item {_shown(index)}; the prompt lists none."
    if not 0 <= index < count:
        return f"There is no item {_shown(index)}; indices run from 0 to {count - 1}."
    return "" if prompt.items[index].legal else _illegal(prompt, index)


def _illegal(prompt: Prompt, index: int) -> str:
    reason = prompt.items[index].reason or "it gives no reason"
    return f"Item {index} may not be chosen: {reason}"


def _span(low: int, high: int) -> str:
    return f"exactly {low}" if low == high else f"{low} to {high}"


def _shown(number: int) -> str:
    return str(number) if -_SHOWN_MAX < number < _SHOWN_MAX else "a number that large"


_RULES: Mapping[Shape, Callable[[Prompt, object], str]] = {
    "one": _one,
    "some": _some,
    "order": _order,
    "divide": _divide,
    "number": _number,
}
