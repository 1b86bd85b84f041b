"""ClickHouse's engine (`pip install chdb`) behind as much of ClickHouse's HTTP interface as the Collector's exporter and `pull` use.

Usage: chdb_server.py PORT FOLDER
"""

import os
import struct
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

from chdb.session import Session

PORT, FOLDER = int(sys.argv[1]), sys.argv[2]
HELLO = "SELECT displayName(), version(), revision(), timezone()"
session = Session(os.path.join(FOLDER, "db"))
lock = threading.Lock()


def text(value: str) -> bytes:
    encoded = value.encode()
    return bytes([len(encoded)]) + encoded


def hello() -> bytes:
    """The answer that a client of clickhouse-go begins with, in the newest form of Native. It names revision 0, whose form chdb writes."""
    block_info = b"\x01\x00\x02" + struct.pack("<i", -1) + b"\x00"
    columns = [
        ("displayName()", "String", text("chdb")),
        ("version()", "String", text("25.1.1.1")),
        ("revision()", "UInt32", struct.pack("<I", 0)),
        ("timezone()", "String", text("UTC")),
    ]
    return block_info + b"\x04\x01" + b"".join(text(name) + text(kind) + b"\x00" + data for name, kind, data in columns)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        parameters = dict(parse_qsl(urlsplit(self.path).query))
        self.answer(parameters.get("query", "SELECT 'Ok.'"), parameters, b"")

    def do_POST(self) -> None:
        parameters = dict(parse_qsl(urlsplit(self.path).query))
        body = self.body()
        query = parameters.get("query")
        if query is None:
            self.answer(body.decode(), parameters, b"")
        else:
            self.answer(query, parameters, body)

    def body(self) -> bytes:
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", "0")))
        parts = []
        while size := int(self.rfile.readline().split(b";")[0], 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)

    def answer(self, query: str, parameters: dict, data: bytes) -> None:
        try:
            status, answer = 200, self.run(query.strip().rstrip(";"), parameters, data)
        except Exception as error:
            status, answer = 400, str(error).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def run(self, query: str, parameters: dict, data: bytes) -> bytes:
        if query == HELLO:
            return hello()
        given = {name[6:]: value for name, value in parameters.items() if name.startswith("param_")}
        with lock:
            if data:
                return self.insert(query, data)
            return session.query(query, parameters.get("default_format", "TSV"), params=given).bytes()

    def insert(self, query: str, data: bytes) -> bytes:
        """chdb takes no data beside a query, so that it reads them from a file."""
        into, form = query.rsplit("FORMAT", 1)
        into = into.strip().removesuffix("VALUES")
        with tempfile.NamedTemporaryFile(dir=FOLDER) as file:
            file.write(data)
            file.flush()
            session.query(f"{into} SELECT * FROM file('{file.name}', '{form.strip()}')")
        return b""

    def log_message(self, *_: object) -> None:
        pass


ThreadingHTTPServer(("127.0.0.1", PORT), Handler).serve_forever()
