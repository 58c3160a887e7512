#!/usr/bin/env python3
"""Serves HTTP on the loopback interface, and misbehaves as the path says.

usage: server.py <file>

Writes its port to the file. A path is its answers, one a request, and the last for ever: a status,
"hang" for a connection on which nothing comes, "later" for a 503 with "Retry-After: 1". The query
tells runs apart: GET /503/hang/later/200?first
"""

import http.server
import sys
import threading

served = {}
lock = threading.Lock()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        with lock:
            number = served.get(self.path, 0)
            served[self.path] = number + 1
        answers = self.path.split("?")[0].strip("/").split("/")
        answer = answers[min(number, len(answers) - 1)]
        if answer == "hang":
            self.rfile.read()
            return
        self.send_response(503 if answer == "later" else int(answer))
        if answer == "later":
            self.send_header("Retry-After", "1")
        body = b"request %d\n" % (number + 1)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        """A client that leaves is no error here."""


server = Server(("127.0.0.1", 0), Handler)
with open(sys.argv[1], "w") as file:
    file.write("%d\n" % server.server_port)
server.serve_forever()
