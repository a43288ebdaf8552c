"""Far files, through fsspec."""

from __future__ import annotations

import asyncio
import posixpath
import re
from dataclasses import dataclass
from typing import Any, Sequence
from urllib.parse import urlsplit

from ._errors import ChangedError
from ._sources import FIRST, LARGEST, Ranges, of_object


@dataclass(frozen=True)
class Far:
    """A file of a filesystem of fsspec. It can be pickled."""

    filesystem: Any
    path: str
    name: str
    """Its name in messages."""
    follows: bool = True
    """Redirections to other addresses are followed."""


def is_url(source: Any) -> bool:
    """True for text such as ``"https://…"``."""
    return isinstance(source, str) and "://" in source


def _refuse_others(source: Any, allowed: Sequence[str]) -> None:
    """Refuses what is not an address of one of these servers, such as ``"https://example.org"``."""
    if isinstance(allowed, str) or not all(map(is_url, allowed)):
        raise TypeError('allowed is a list of servers, such as ["https://example.org"]')
    if not is_url(source):
        raise ValueError(f"{source!r} is not the address of an allowed server")
    address = urlsplit(source)
    # Protocols of fsspec are chained by "::", and the last one need not be the protocol of the address.
    is_plain = "::" not in source and not any(character.isspace() or character == "\\" for character in source)
    servers = [urlsplit(server) for server in allowed]
    if not is_plain or (address.scheme, address.netloc) not in [(server.scheme, server.netloc) for server in servers]:
        raise ValueError(f"{source!r} is not the address of an allowed server: {', '.join(allowed)}")


def located(source: Any, options: dict[str, Any]) -> Far | str | None:
    """The far file that a URL, or an object of fsspec, stands for; the path of a local file; or None for sources of
    other kinds.
    """
    if isinstance(source, Far):
        return source
    options = dict(options)
    allowed = options.pop("allowed", None)
    if allowed is not None:
        _refuse_others(source, allowed)
    filesystem: Any
    if is_url(source):
        try:
            import fsspec  # type: ignore[import-untyped,unused-ignore]
        except ImportError as error:
            raise ImportError(f"opening {source} needs the package fsspec") from error
        filesystem, path = fsspec.core.url_to_fs(source, **options)
        name = source
    else:
        # Files and open files of fsspec, and paths of universal_pathlib. The caches of open files request more than
        # is needed.
        filesystem = getattr(source, "fs", None)
        path = getattr(source, "path", None)
        is_plain = not getattr(source, "compression", None) and getattr(source, "mode", "rb") == "rb"
        if not isinstance(path, str) or not hasattr(filesystem, "cat_file") or not is_plain:
            return None
        name = filesystem.unstrip_protocol(path)
    protocols = filesystem.protocol
    if "file" in ((protocols,) if isinstance(protocols, str) else protocols):
        return str(filesystem._strip_protocol(path))
    return Far(filesystem, path, name, follows=allowed is None)


def ranges(far: Far) -> Ranges:
    """The source of a far file."""
    try:
        from fsspec.implementations.http import HTTPFileSystem  # type: ignore[import-untyped,unused-ignore]
    except ImportError:
        # fsspec is there, but not the package for HTTP.
        return Ranges(Stored(far))
    return Ranges(Http(far) if isinstance(far.filesystem, HTTPFileSystem) else Stored(far))


def volume_name(name: str) -> str:
    """The path in a URL, from which the number of a volume is taken."""
    return posixpath.normpath(urlsplit(name).path) if is_url(name) else name


class Stored:
    """A file of any filesystem of fsspec, as a file object without a cache."""

    begin = b""

    def __init__(self, far: Far) -> None:
        self._far = far
        self.name = far.name
        file = far.filesystem.open(far.path, "rb", cache_type="none")
        self._object = of_object(file, is_owned=True)
        self.length = self._object.length
        # Files of object stores know this already.
        about = getattr(file, "details", None)
        self.identity = self._identity(about if isinstance(about, dict) else None)

    def _identity(self, about: dict[str, Any] | None = None) -> tuple[object, ...]:
        about = about or self._far.filesystem.info(self._far.path)
        keys = ("ETag", "etag", "generation", "mtime", "LastModified", "last_modified", "created")
        return self.length, *(str(about[key]) for key in keys if about.get(key) is not None)

    def request(self, start: int, stop: int) -> bytes:
        return self._object.fetch(start, stop - start)

    def is_changed(self) -> bool:
        if self._object.is_changed():
            return True
        # Asking an object store would be a request more for each part that is read. Its files of fsspec tell the store
        # which version is wanted.
        if self._far.filesystem.async_impl:
            return False
        try:
            self._far.filesystem.invalidate_cache(self._far.path)
            return self._identity() != self.identity
        except FileNotFoundError:
            return True


class Http:
    """A file on a server of HTTP. Each answer shows whether it is still the same file, so that nothing else needs to
    be requested. This is why ``cat_file`` of fsspec is not used: it returns no headers, and receives the whole file if
    the server ignores ranges.
    """

    def __init__(self, far: Far) -> None:
        self._far = far
        self.name = far.name
        self.length = -1
        self.identity: tuple[object, ...] = ()
        self.begin = bytes(self._sync(0, FIRST))

    def is_changed(self) -> bool:
        return False

    def request(self, start: int, stop: int) -> bytearray:
        return self._sync(start, stop)

    def _sync(self, start: int, stop: int) -> bytearray:
        import aiohttp
        from fsspec.asyn import sync  # type: ignore[import-untyped,unused-ignore]

        try:
            got: bytearray = sync(self._far.filesystem.loop, self._get, start, stop)
        except aiohttp.ClientResponseError as error:
            raise OSError(f"{self.name}: the server answers {error.status} {error.message}") from error
        except (aiohttp.ClientError, asyncio.TimeoutError) as error:
            raise OSError(f"{self.name}: {error or 'the server does not answer'}") from error
        return got

    async def _get(self, start: int, stop: int) -> bytearray:
        filesystem = self._far.filesystem
        options = dict(filesystem.kwargs)
        headers = dict(options.pop("headers", {}))
        headers |= {"Range": f"bytes={start}-{stop - 1}", "Accept-Encoding": "identity"}
        if not self._far.follows:
            options["allow_redirects"] = False
        session = await filesystem.set_session()
        async with session.get(filesystem.encode_url(self._far.path), headers=headers, **options) as answer:
            try:
                if answer.status != 416:
                    filesystem._raise_not_found_for_status(answer, self.name)
                return await self._received(answer, start, stop)
            except BaseException:
                # The rest of a large answer is not waited for.
                answer.close()
                raise

    async def _received(self, answer: Any, start: int, stop: int) -> bytearray:
        """The bytes of an answer that has them, and nothing else."""
        if answer.headers.get("Content-Encoding", "identity") not in ("identity", ""):
            raise OSError(f"{self.name}: the server compresses the file although it was asked not to")
        if 300 <= answer.status < 400:
            raise OSError(f"{self.name}: the server redirects to another address, which is not followed")
        is_first = self.length < 0
        place = re.fullmatch(r"bytes (?:(\d+)-(\d+)|\*)/(\d+)", answer.headers.get("Content-Range", "").strip())
        if answer.status == 206 and place and place[1]:
            length = int(place[3])
            stop = min(stop, length)
            is_asked = (int(place[1]), int(place[2]) + 1) == (start, stop)
        elif answer.status == 416 and place:
            # Nothing is left to send, as for an empty file.
            length, is_asked = int(place[3]), int(place[3]) <= start
            stop = start
        elif answer.status == 200 and is_first:
            # The server ignores ranges. It would send the whole file each time.
            length, is_asked = answer.content_length, True
            if length is None or length > LARGEST:
                size = "an unknown number of" if length is None else str(length)
                raise OSError(f"{self.name}: the server cannot send a part of a file of {size} bytes: copy it first")
            stop = length
        else:
            raise OSError(f"{self.name}: the server answers {answer.status} and does not say which bytes it sends")
        tags = (answer.headers.get("ETag"), answer.headers.get("Last-Modified"))
        if is_first:
            self.length, self.identity = length, (length, *tags)
        elif (length, *tags) != self.identity:
            raise ChangedError(f"{self.name} has changed since it was opened")
        if not is_asked:
            raise OSError(f"{self.name}: the server sends other bytes than the requested ones")
        received = bytearray()
        if answer.status == 416:
            return received
        async for part in answer.content.iter_any():
            received += part
            if len(received) > stop - start:
                raise OSError(f"{self.name}: the server sends more bytes than were requested")
        if len(received) != stop - start:
            raise OSError(f"{self.name}: the server sent {len(received)} of {stop - start} bytes")
        return received
