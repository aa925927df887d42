"""A program that uses the reference client as one should, for tests of what drops do to it."""

from longfuse_protocol import messages as m
from longfuse_protocol.client import ClientClosed, Resumed


class Player:
    """A program that sits down, answers what it is asked, and leaves when the game is over."""

    def __init__(self, client, enter):
        self.client = client
        self.enter = enter
        self.told = []
        self.decided = []
        self.is_over = False

    async def play(self):
        async for event in self.client:
            self.told.append(event)
            match event:
                case m.Welcome() | Resumed() if self.client.place is None and not self.is_over:
                    await self._try(self.enter())
                case m.Asked(prompt=prompt) if self.client.prompt == prompt:
                    answer = await self._try(self.client.decide(prompt, prompt.default))
                    if answer is not None:
                        self.decided.append(prompt.id)
                case m.Over():
                    self.is_over = True
            if self.is_over:
                await self._try(self.client.leave())
                if self.client.place is None:
                    return

    async def _try(self, doing):
        try:
            return await doing
        except ClientClosed:
            return None  # it is taken up with what is told next
