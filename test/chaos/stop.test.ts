import { appendFileSync } from "node:fs";
import { request } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { settle } from "./accounts.ts";
import { agentTrace } from "./agent-trace.ts";
import { httpSender, sendUntilTaken } from "./senders.ts";
import { ServeProcess } from "./serve-process.ts";
import { repeating, until } from "../support/eventually.ts";
import { serveConfig } from "./serve-config.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const STOP_TIMEOUT = "2s";

test("A10 SIGTERM with hanging clients, endless bodies and open traces ends, and nothing acknowledged is lost", async () => {
  const folder = temporaryFolder();
  const verdicts = join(folder, "verdicts.jsonl");
  const { config, http, grpc } = await serveConfig(folder, {
    admin: "off",
    stop_timeout: STOP_TIMEOUT,
    assemble: { root_quiet: "300ms" },
    export: { file: verdicts },
  });

  const first = await ServeProcess.start({ config });
  const sender = httpSender(http);
  const open = agentTrace(3, 1, 3);
  await sendUntilTaken(sender, open.tools, () => false);
  hang(http, grpc);
  onTestFinished(repeating(10, () => appendFileSync(join(folder, "grows.log"), "more\n")));
  // The clients never end: that it ends is its own doing.
  expect(await first.end("SIGTERM")).toBe(0);

  const second = await ServeProcess.start({ config });
  await sendUntilTaken(sender, [open.root], () => false);
  sender.close();
  const acknowledged = new Map([[open.traceId, 3]]);
  await until(() => settle(verdicts, acknowledged).missing.length === 0);
  await second.end("SIGTERM");
  expect(settle(verdicts, acknowledged)).toMatchObject({ missing: [], wrong: [], doubled: [] });
});

/** Clients that never finish. */
function hang(http: number, grpc: number): void {
  const sockets = [
    connect(http, "127.0.0.1"), // says nothing
    connect(http, "127.0.0.1"),
  ];
  sockets[1]?.write("POST /v1/traces HTTP/1.1\r\nhost: x\r\n"); // headers that do not end
  const headers = { "content-type": "application/json", "content-length": "1000000" };
  const body = request({ port: http, host: "127.0.0.1", method: "POST", path: "/v1/traces", headers });
  body.on("error", () => undefined);
  body.write("{");
  const session = connectHttp2(`http://127.0.0.1:${grpc}`).on("error", () => undefined);
  const path = "/opentelemetry.proto.collector.trace.v1.TraceService/Export";
  const call = session.request({
    ":method": "POST",
    ":path": path,
    "content-type": "application/grpc",
    te: "trailers",
  });
  call.on("error", () => undefined).write(Buffer.from([0, 0, 0, 1, 0, 1]));
  for (const socket of sockets) socket.on("error", () => undefined);
  const endTrickle = repeating(100, () => body.write(" "));
  onTestFinished(() => {
    endTrickle();
    body.destroy();
    session.destroy();
    for (const socket of sockets) socket.destroy();
  });
}
