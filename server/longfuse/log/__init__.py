"""The server's log: what its operator is told, set up in `setup`, written by an `outlet`."""

from longfuse.log.setup import configure, websocket_logger

__all__ = ["configure", "websocket_logger"]
