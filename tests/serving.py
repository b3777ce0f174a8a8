"""A server of a test, in a thread."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn


@contextmanager
def serving(server: uvicorn.Server, listener: socket.socket) -> Iterator[None]:
    """Serve until the block ends.

    As ``server.run``, which looks ten times a second for its end, and waits as long for its visitors to leave.
    """
    loop, end, is_started = asyncio.new_event_loop(), asyncio.Event(), threading.Event()

    async def serve() -> None:
        server.config.load()
        server.lifespan = server.config.lifespan_class(server.config)
        await server.startup([listener])
        await server.on_tick(0)
        is_started.set()
        await end.wait()
        for each in server.servers:
            each.close()
        for connection in list(server.server_state.connections):
            connection.shutdown()
        if server.server_state.tasks:
            await asyncio.wait(server.server_state.tasks)
        await server.lifespan.shutdown()

    def run() -> None:
        with asyncio.Runner(loop_factory=lambda: loop) as runner:
            runner.run(serve())

    thread = threading.Thread(target=run)
    thread.start()
    assert is_started.wait(60)
    try:
        yield
    finally:
        loop.call_soon_threadsafe(end.set)
        thread.join()
