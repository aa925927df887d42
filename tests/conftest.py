"""How every test runs: async tests on virtual time and a seeded schedule, properties repeatably.

- `async def test_…` runs in trio on a virtual clock. Mark it `realtime` for real sockets.
- A failing report shows its SCHEDULE_SEED; setting that variable replays the same interleaving.
- HYPOTHESIS_PROFILE chooses `ci` (default, the same examples each time), `dev` or `nightly`.
- `@pytest.mark.rule("390.2")` names the clauses that a test under tests/rulesets/ shows.
- A terminal is 80 columns wide without colours; logs are set up anew for each test, in plain text.
- Coverage that a killed process has left half written is dropped before the rest is combined.
"""

from __future__ import annotations

import functools
import inspect
import logging
import os
from collections.abc import Callable, Generator
from typing import Any

import hypothesis
import pytest
import structlog

from support.rule_marks import complaint_about
from support.schedule import run, schedule_seed

os.environ.update(COLUMNS="80", LINES="24")
for chosen_by_a_person in ("FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "LONGFUSE_TOKEN"):
    os.environ.pop(chosen_by_a_person, None)

SPEED_IS_NO_MATTER: dict[str, Any] = {
    "deadline": None,
    "suppress_health_check": [hypothesis.HealthCheck.too_slow],
}
hypothesis.settings.register_profile("ci", derandomize=True, max_examples=60, **SPEED_IS_NO_MATTER)
hypothesis.settings.register_profile("dev", max_examples=100, **SPEED_IS_NO_MATTER)
hypothesis.settings.register_profile("nightly", max_examples=2_000, **SPEED_IS_NO_MATTER)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse a rule mark that names no clause, or that stands where no ruleset is known."""
    for item in items:
        for mark in item.iter_markers("rule"):
            complaint = complaint_about(mark.args, item.path)
            if complaint:
                raise pytest.UsageError(f"{item.nodeid}: {complaint}")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Set logging up anew: what a command has set up before logs to a file that is gone."""
    structlog.reset_defaults()
    *chain, _ = structlog.get_config()["processors"]
    plain = structlog.dev.ConsoleRenderer(
        colors=False, exception_formatter=structlog.dev.plain_traceback
    )
    structlog.configure(processors=[*chain, plain])
    root = logging.getLogger()
    root.handlers[:] = [one for one in root.handlers if type(one) is not logging.StreamHandler]


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtestloop(session: pytest.Session) -> Generator[None, object, object]:
    """When all tests and their processes are done, drop coverage that cannot be combined."""
    result = yield
    is_worker = hasattr(session.config, "workerinput")
    if session.config.pluginmanager.hasplugin("_cov") and not is_worker:
        from support.coverage_files import drop_broken

        drop_broken(session.config.rootpath.glob(".coverage.*"))
    return result


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run an async test in trio; leave any other to pytest."""
    test = pyfuncitem.obj
    seed = schedule_seed(pyfuncitem.nodeid)
    in_trio = functools.partial(
        _in_trio, seed=seed, realtime=pyfuncitem.get_closest_marker("realtime") is not None
    )
    if inspect.iscoroutinefunction(test):
        _report_seed(pyfuncitem, seed)
        names = inspect.signature(test).parameters
        in_trio(test)(**{name: pyfuncitem.funcargs[name] for name in names})
        return True
    property_test = getattr(test, "hypothesis", None)
    if property_test is not None and inspect.iscoroutinefunction(property_test.inner_test):
        _report_seed(pyfuncitem, seed)
        property_test.inner_test = in_trio(property_test.inner_test)
    return None


def _in_trio(test: Callable[..., object], *, seed: int, realtime: bool) -> Callable[..., object]:
    @functools.wraps(test)
    def call(*args: object, **kwargs: object) -> object:
        return run(functools.partial(test, *args, **kwargs), seed=seed, realtime=realtime)

    return call


def _report_seed(item: pytest.Function, seed: int) -> None:
    item.add_report_section("call", "schedule", f"SCHEDULE_SEED={seed}")
