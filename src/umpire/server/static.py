"""The built web app as files, compressed where the browser takes it and kept by it where that is safe."""

from __future__ import annotations

import asyncio
import functools
import gzip
import mimetypes
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

FOLDER = Path(__file__).parent / "static"
PACKED = (("br", ".br"), ("gzip", ".gz"))
WORTH_PACKING = ("text/", "application/javascript", "application/json", "image/svg+xml", "application/manifest+json")

MISSING = """<!doctype html><html lang="zh"><meta charset="utf-8"><title>Umpire</title>
<h1>网页尚未构建</h1><p>服务器在运行，但还没有网页。请在项目目录执行 <code>make play</code>，它会先构建网页。</p>
<h1>The web app is not built</h1><p>The server runs, but there are no pages yet. Run <code>make play</code> in the
project's folder: it builds them first.</p></html>
"""

mimetypes.add_type("application/javascript", ".js")
mimetypes.add_type("font/woff2", ".woff2")
mimetypes.add_type("application/manifest+json", ".webmanifest")


async def page() -> Response:
    """The one page of the app; its scripts find out from the address what to show."""
    index = FOLDER / "index.html"
    if not index.is_file():
        return Response(MISSING, 503, media_type="text/html; charset=utf-8", headers={"Cache-Control": "no-store"})
    return Response(index.read_bytes(), media_type="text/html; charset=utf-8", headers={"Cache-Control": "no-cache"})


async def file(request: Request, path: str) -> Response | None:
    """A built file, if there is one of that name. Names under assets/ carry a hash, so they never change."""
    found = FOLDER / path
    try:
        if not found.is_file() or not found.resolve().is_relative_to(FOLDER.resolve()):
            return None
    except (OSError, ValueError):  # a name that no file can have
        return None
    kind = mimetypes.guess_type(found.name)[0] or "application/octet-stream"
    accepted = request.headers.get("accept-encoding", "")
    lasting = path.startswith("assets/")
    headers = {
        "Cache-Control": "public, max-age=31536000, immutable" if lasting else "public, max-age=3600",
        "Vary": "Accept-Encoding",
    }
    for encoding, suffix in PACKED:
        packed = found.with_name(found.name + suffix)
        if encoding in accepted and packed.is_file():
            return Response(packed.read_bytes(), media_type=kind, headers={**headers, "Content-Encoding": encoding})
    if "gzip" in accepted and kind.startswith(WORTH_PACKING):
        data = await asyncio.to_thread(_packed, found, found.stat().st_mtime_ns)
        return Response(data, media_type=kind, headers={**headers, "Content-Encoding": "gzip"})
    return Response(found.read_bytes(), media_type=kind, headers=headers)


@functools.lru_cache(maxsize=256)
def _packed(path: Path, changed: int) -> bytes:
    """`changed` tells an old build's file from a new one."""
    return gzip.compress(path.read_bytes(), 6, mtime=0)
