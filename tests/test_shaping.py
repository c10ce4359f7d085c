"""A slow line listens when it says so, is as slow as it should be, and leaves nothing open."""

from __future__ import annotations

import gc
import socket
import threading
import time
import warnings

from tools.serving import free_port
from tools.shaping import shaped


def echoing() -> socket.socket:
    """A server that says again what it hears, on each of its connections."""
    server = socket.create_server(("127.0.0.1", 0))

    def answer(connection: socket.socket) -> None:
        with connection:
            while heard := connection.recv(4096):
                connection.sendall(heard)

    def serve() -> None:
        while True:
            try:
                connection, _ = server.accept()
            except OSError:  # it is over
                return
            threading.Thread(target=answer, args=(connection,), daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    return server


def test_a_word_takes_a_trip_and_its_bytes_their_time_at_once() -> None:
    with echoing() as server, shaped(server.getsockname()[1], bits=400_000, trip=0.04) as line:
        start = time.monotonic()
        with socket.create_connection(("127.0.0.1", line.port), timeout=5) as reader:
            reader.sendall(bytes(2000))
            heard = b""
            while len(heard) < 2000:
                heard += reader.recv(4096)
        assert time.monotonic() - start >= 0.04 + 2 * 2000 / 50_000  # 40 ms in each direction
        assert line.down.carried(time.time()) == line.up.carried(time.time()) == 2000
        server.shutdown(socket.SHUT_RDWR)


def test_a_line_that_ends_leaves_no_connection_open_nor_one_to_nobody() -> None:
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        with echoing() as server:
            with shaped(server.getsockname()[1], bits=1e6, trip=0.2) as line:
                under_way = socket.create_connection(("127.0.0.1", line.port), timeout=5)
                under_way.sendall(b"?")
                time.sleep(0.05)
            server.shutdown(socket.SHUT_RDWR)
        with under_way, shaped(free_port(), bits=1e6, trip=0.01) as line:
            with socket.create_connection(("127.0.0.1", line.port), timeout=5) as reader:
                assert _ended(reader)
            assert _ended(under_way)
        gc.collect()
    assert not [each for each in warned if issubclass(each.category, ResourceWarning)]


def _ended(connection: socket.socket) -> bool:
    """Whether the other side has closed a connection, once it says something."""
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True
