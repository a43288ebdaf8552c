"""A server of HTTP that counts what it sends, and that can misbehave."""

from __future__ import annotations

import http.server
import os
import pathlib
import re
import threading
from typing import Any, Iterator

PIECE = 1 << 20


class Server(http.server.ThreadingHTTPServer):
    """Serves files of a folder. The attributes change what it does."""

    daemon_threads = True

    def __init__(self, folder: pathlib.Path) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.folder = folder
        self.lock = threading.Lock()
        self.requests: list[tuple[str, int]] = []
        """Ranges that were requested, and the number of bytes that were sent."""
        self.has_ranges = True
        self.cut_after: int | None = None
        """Number of bytes after which the connection ends."""
        self.shift = 0
        """Sends other bytes than the requested ones."""
        self.claims_shift = True
        """Says so."""
        self.headers: dict[str, str] = {}
        self.redirects: dict[str, str] = {}
        """From paths to other paths."""
        self.status: int | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    @property
    def sent(self) -> int:
        return sum(sent for _, sent in self.requests)

    def __enter__(self) -> Server:
        self.thread = threading.Thread(target=self.serve_forever, args=(0.02,))
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.thread.join()
        self.server_close()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def log_message(self, *_: Any) -> None:
        pass

    def do_HEAD(self) -> None:
        self.respond(False)

    def do_GET(self) -> None:
        self.respond(True)

    def respond(self, has_body: bool) -> None:
        server = self.server
        path = server.folder / self.path.lstrip("/").partition("?")[0]
        of = self.headers.get("Range", "")
        if self.path in server.redirects:
            self.count(of, 0)
            self.send_response(302)
            self.send_header("Location", server.redirects[self.path])
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        if server.status or not path.exists():
            self.count(of, 0)
            self.send_error(server.status or 404)
            return
        size = path.stat().st_size
        found = re.fullmatch(r"bytes=(\d+)-(\d+)", of) if server.has_ranges else None
        start, stop = (int(found[1]), min(int(found[2]) + 1, size)) if found else (0, size)
        if start >= stop and found:
            self.send_response(416)
            self.send_header("Content-Range", f"bytes */{size}")
            self.send_header("Content-Length", "0")
            self.end_headers()
            self.count(of, 0)
            return
        self.send_response(206 if found else 200)
        self.send_header("Content-Length", str(stop - start))
        start, stop = start + server.shift, stop + server.shift
        claimed = server.shift if server.claims_shift else 0
        if found:
            place = f"bytes {start - server.shift + claimed}-{stop - server.shift + claimed - 1}/{size}"
            self.send_header("Content-Range", place)
        headers = {"Last-Modified": self.date_time_string(os.stat(path).st_mtime), **server.headers}
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        # Before they are sent, because whoever has received them looks at once.
        place = self.count(of, stop - start if has_body else 0)
        sent = self.send(path, start, stop) if has_body else 0
        server.requests[place] = (of, sent)

    def send(self, path: pathlib.Path, start: int, stop: int) -> int:
        sent = 0
        with open(path, "rb") as file:
            file.seek(start)
            for part in pieces(stop - start):
                data = file.read(part)
                cut = self.server.cut_after
                if cut is not None and sent + len(data) > cut:
                    self.wfile.write(data[: cut - sent])
                    self.close_connection = True
                    return cut
                try:
                    self.wfile.write(data)
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True
                    return sent
                sent += len(data)
        return sent

    def count(self, of: str, sent: int) -> int:
        with self.server.lock:
            self.server.requests.append((of, sent))
            return len(self.server.requests) - 1


def pieces(length: int) -> Iterator[int]:
    for at in range(0, length, PIECE):
        yield min(PIECE, length - at)
