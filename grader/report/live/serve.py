"""Serves the page of a result to this machine alone, and shows it again when the result changes.

serve.py RESULT prints the address of the page and serves it until standard input ends, that is,
until the program that started it has ended. The page is identical to the page of `make report`; it
is inside a frame, whose own page checks for a newer one.  The address has a secret
part, because others may be logged in to this machine; and requests under another host's name are
refused, because a web page elsewhere could make a browser send them.
"""

from __future__ import annotations

import os
import secrets
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import page  # noqa: E402
from language import _  # noqa: E402
from parse import ResultError  # noqa: E402
from report import rendered  # noqa: E402

FRAME = """<!doctype html>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>tilegrade</title>
<link rel="icon" href="data:,">
<style>html, body, iframe { margin: 0; border: 0; width: 100%; height: 100%; }
iframe { display: block; }</style>
<iframe src="page" title="tilegrade"></iframe>
<script>
let seen;
setInterval(async () => {
  try {
    const now = await (await fetch("state")).text();
    if (seen !== undefined && now !== seen) {
      document.querySelector("iframe").contentWindow.location.reload();
    }
    seen = now;
  } catch (error) {}  // the program has ended: the last page stays
}, 400);
</script>
"""
FRAME_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; "
    "frame-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)


def state_of(path: Path) -> str:
    """Another text for each result that is written."""
    try:
        found = path.stat()
    except OSError:
        return "none"
    return f"{found.st_mtime_ns}-{found.st_ino}-{found.st_size}"


class Pages:
    """The page of the present result, rendered once."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lock = threading.Lock()
        self.state = ""
        self.text = ""

    def text_now(self) -> str:
        with self.lock:
            state = state_of(self.path)
            if state != self.state:
                self.text = self._rendered()
                self.state = state
            return self.text

    def _rendered(self) -> str:
        try:
            return rendered(page, self.path.read_text(encoding="utf-8"), str(self.path), "")
        except OSError:
            return _("There is no result yet.")
        except (ResultError, UnicodeDecodeError) as error:
            return f"<!doctype html><meta charset=utf-8><plaintext>{error}"


def handler_of(pages: Pages, secret: str) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            port = self.server.server_address[1]
            known = self.headers.get("Host") in (f"127.0.0.1:{port}", f"localhost:{port}")
            paths = [f"/{secret}/{name}" for name in ("", "page", "state")]
            if not known or self.path not in paths:
                self.send_error(404)
            elif self.path.endswith("/page"):
                self._answer(pages.text_now(), "text/html")
            elif self.path.endswith("/state"):
                self._answer(state_of(pages.path), "text/plain")
            else:
                self._answer(FRAME, "text/html", FRAME_POLICY)

        def _answer(self, text: str, kind: str, policy: str = "") -> None:
            body = text.encode("utf-8")
            self.send_response(200)
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Cache-Control", "no-store")
            self.send_header("X-Content-Type-Options", "nosniff")
            if policy:
                self.send_header("Content-Security-Policy", policy)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *values: object) -> None:
            pass  # the terminal belongs to the program that watches

    return Handler


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print("usage: serve.py RESULT", file=sys.stderr)
        return 2
    secret = secrets.token_urlsafe(9)
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler_of(Pages(Path(arguments[0])), secret))
    server.daemon_threads = True
    print(f"http://127.0.0.1:{server.server_address[1]}/{secret}/", flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    while os.read(0, 4096):
        pass
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
