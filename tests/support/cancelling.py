"""Cancels a scenario at each step that it takes, once per step, to find what leaks when it stops.

SQLite fails the Nth allocation for every N until a run completes; this does it with cancellation.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import trio

from support.schedule import run

STEPS_MAX = 10_000


class CancelAt(trio.abc.Instrument):
    """Cancels a scope when the run has taken a given number of task steps."""

    def __init__(self, step: int, scope: trio.CancelScope) -> None:
        self.left = step
        self.scope = scope
        self.fired = False

    def after_task_step(self, _task: trio.lowlevel.Task) -> None:
        """Count the step, and cancel at the last one."""
        self.left -= 1
        if self.left == 0:
            self.fired = True
            self.scope.cancel()


def cancel_everywhere(
    scenario: Callable[[], Awaitable[object]],
    check: Callable[[int], None],
    *,
    seed: int = 0,
) -> int:
    """Run the scenario once per step, cancelled there; check after each. Return the runs made."""
    for step in range(1, STEPS_MAX):
        fired = run(lambda step=step: _cancelled_at(step, scenario), seed=seed)
        check(step)
        if not fired:
            return step
    raise AssertionError(f"the scenario takes more than {STEPS_MAX} steps")


async def _cancelled_at(step: int, scenario: Callable[[], Awaitable[object]]) -> bool:
    with trio.CancelScope() as scope:
        probe = CancelAt(step, scope)
        trio.lowlevel.add_instrument(probe)
        await scenario()
    trio.lowlevel.remove_instrument(probe)
    return probe.fired
