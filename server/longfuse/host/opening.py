"""What a table is opened with, and what it needs of the rest of the server. Both never change."""

from collections.abc import Callable
from secrets import token_hex

from longfuse.config import Config
from longfuse.host.kept_secrets import Secrets
from longfuse.host.people import Person
from longfuse.host.ports import GameFactory, Journal
from longfuse.host.replays import Replays
from longfuse_protocol.messages import SeatInfo, TableInfo, Terms


class Opening:
    """What a table is opened with. It never changes."""

    def __init__(
        self, table: str, ruleset: str, options: dict[str, bool | int | str], terms: Terms
    ) -> None:
        self.table = table
        self.ruleset = ruleset
        self.options = options
        self.terms = terms
        self.invitation = token_hex(12)
        """What whoever is invited names. It is typed in commands, where a dash begins an option."""

    def info(self, seats: tuple[SeatInfo, ...]) -> TableInfo:
        """Return the table as it is before the first game."""
        return TableInfo(
            table=self.table,
            ruleset=self.ruleset,
            status="waiting",
            seats=seats,
            terms=self.terms,
            options=self.options,
        )


class Outside:
    """What a table needs of the rest of the server."""

    def __init__(
        self,
        config: Config,
        factory: GameFactory,
        journal: Journal,
        secrets: Secrets,
        absent: Callable[[Person], None],
    ) -> None:
        """absent: is told of a person that has no place at a table any more."""
        self.config = config
        self.factory = factory
        self.journal = journal
        self.secrets = secrets
        self.absent = absent
        self.replays = Replays(config, factory, journal)
