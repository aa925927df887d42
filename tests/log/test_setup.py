"""What the operator is told, and what not."""

import json
import logging

import pytest
import structlog

from longfuse import log


@pytest.fixture(autouse=True)
def _restored():
    """Leave logging as it was."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


def fail(secret):
    """Raise with a secret in a variable."""
    hidden = f"hidden {secret}"
    raise ValueError("a defect, without " + hidden[:6])


def test_json(capsys):
    """In JSON each event is one line with its facts as keys."""
    log.configure("json")
    structlog.get_logger().bind(table="t1").info("table_opened", seats=2)

    line = json.loads(capsys.readouterr().err)
    assert (line["event"], line["table"], line["seats"], line["level"]) == (
        "table_opened",
        "t1",
        2,
        "info",
    )
    assert line["timestamp"].endswith("Z")


@pytest.mark.parametrize("form", ["json", "console"])
def test_no_values_in_tracebacks(form, capsys):
    """A fault is logged with its traceback, and without the values of variables."""
    log.configure(form)
    try:
        fail("sevens")
    except ValueError:
        structlog.get_logger().exception("table_suspended")

    told = capsys.readouterr().err
    assert "a defect" in told
    assert "fail" in told
    assert "hidden sevens" not in told


def test_levels(capsys):
    """What is below the level is not written."""
    log.configure("console", "warning")
    structlog.get_logger().info("quiet")
    structlog.get_logger().warning("loud")

    told = capsys.readouterr().err
    assert "loud" in told
    assert "quiet" not in told


def test_the_websocket_library(capsys):
    """The library's warnings come in the same form; chatter and keepalive's traceback do not."""
    log.configure("json")
    logger = log.websocket_logger()
    log.websocket_logger()
    logger.info("connection open")
    logger.error("keepalive ping failed")
    logger.error("connection handler failed")

    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [(line["event"], line["level"]) for line in lines] == [
        ("connection handler failed", "error")
    ]
    assert len(logger.filters) == 1
