"""A server with the API of OpenAI that answers by a script, so that the example needs no key and costs nothing."""

import json
import os
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def completion(messages: list[dict]) -> dict:
    """Returns the next message of the model."""
    last = messages[-1]
    if last["role"] == "tool":
        return {"role": "assistant", "content": f"I looked it up: {last['content']}"}
    if "Which order" in last["content"]:
        named = re.search(r"order (\d{4})", "\n".join(str(one["content"]) for one in messages[:-1]))
        return {"role": "assistant", "content": f"You asked about order {named.group(1)}." if named else "You named no order."}
    if "far" in last["content"]:
        return {"role": "assistant", "content": f"{last['content'].split()[1]} is two days away."}
    order = re.search(r"\d{4}", last["content"])
    if order is None:
        return {"role": "assistant", "content": "You can return everything within 30 days."}
    # SCRIPTED_MODEL=careless pytest shows a failed test.
    tool = "refund_order" if os.environ.get("SCRIPTED_MODEL") == "careless" else "find_order"
    function = {"name": tool, "arguments": json.dumps({"number": order.group()})}
    return {"role": "assistant", "content": None, "tool_calls": [{"id": "call_1", "type": "function", "function": function}]}


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        message = completion(request["messages"])
        reason = "tool_calls" if "tool_calls" in message else "stop"
        body = json.dumps(
            {
                "id": "chatcmpl-1",
                "object": "chat.completion",
                "created": 0,
                "model": request["model"],
                "choices": [{"index": 0, "message": message, "finish_reason": reason}],
                "usage": {"prompt_tokens": 120, "completion_tokens": 18, "total_tokens": 138},
            }
        ).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def start() -> str:
    """Starts the server on a free port. Returns its base URL."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/v1"
