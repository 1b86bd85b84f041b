import { createServer, type Http2Session } from "node:http2";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createGrpcSender } from "../../src/export/forward/backend/grpc-sender.ts";
import type { Outgoing } from "../../src/export/forward/outgoing.ts";
import { until } from "../support/eventually.ts";

test("a connection on which nothing is answered is not used again, though it is open", async () => {
  const sessions: Http2Session[] = [];
  let unanswered = 0;
  const server = createServer().on("session", (session) => sessions.push(session));
  server.on("stream", (stream) => {
    // As behind a load balancer that has lost its backend.
    if (stream.session === sessions[0]) return void unanswered++;
    stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
    stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" })).end();
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const sender = createGrpcSender({
    key: "test",
    endpoint: `http://127.0.0.1:${port}`,
    timeoutMs: 200,
    headers: {},
    userAgent: "test",
  });
  onTestFinished(() => {
    sender.close();
    for (const session of sessions) session.destroy();
    server.close();
  });
  const request: Outgoing = {
    signal: "traces",
    encoding: "protobuf",
    coding: null,
    headers: {},
    body: Buffer.from([10, 0]),
  };
  expect(await sender.send(request)).toMatchObject({ outcome: "retry", error: "no answer within 200 ms" });
  // On a busy machine, a request on the second connection may take longer than the time-out, too.
  await until(async () => (await sender.send(request)).outcome === "delivered");
  expect(unanswered).toBe(1);
});
