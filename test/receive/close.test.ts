import { describe, expect, test } from "vitest";
import type { Acceptance } from "../../src/receive/ports.ts";
import {
  ACCEPTED,
  call,
  frame,
  JSON_TYPE,
  rawConnection,
  receive,
  send,
  session,
  written,
  JSON_HEAD,
  JSON_REQUEST,
  openCall,
} from "./support.ts";

/** A pipeline that holds each body until told. */
function holding() {
  const finish: (() => void)[] = [];
  const accept = () => new Promise<Acceptance>((resolve) => finish.push(() => resolve(ACCEPTED)));
  return { accept, finish };
}

describe("C42 closing", () => {
  test("what is in flight is answered, HTTP and gRPC, and the connections end", async () => {
    const { accept, finish } = holding();
    const { receiver, http, grpc, taken } = await receive({ accept });
    const posted = send(http, "/v1/traces", JSON_TYPE, "{}");
    const called = call(session(grpc), frame(Buffer.alloc(3)));
    await expect.poll(() => taken.length).toBe(2);
    const closed = receiver.close(60_000);
    for (const each of finish) each();
    const [answer, result] = await Promise.all([posted, called]);
    expect([answer.status, answer.headers["connection"], result.status]).toEqual([200, "close", 0]);
    await closed;
  });

  test("new connections are refused, and idle ones ended at once", async () => {
    const { receiver, http, grpc } = await receive();
    const idle = rawConnection(http);
    const kept = session(grpc);
    const ended = new Promise((resolve) => kept.on("close", resolve));
    await call(kept, frame(Buffer.alloc(3)));
    idle.socket.write(JSON_REQUEST);
    await new Promise((resolve) => idle.socket.once("data", resolve));
    await receiver.close(60_000);
    await Promise.all([idle.closed, ended]);
    await expect(send(http, "/v1/traces", JSON_TYPE, "{}")).rejects.toThrow(/ECONNREFUSED|ECONNRESET/);
  });

  test("a request that comes on a connection still in use is told to come again", async () => {
    const { accept, finish } = holding();
    const { receiver, grpc, http, taken } = await receive({ accept });
    const client = session(grpc);
    const first = call(client, frame(Buffer.alloc(3)));
    const { socket, closed } = rawConnection(http);
    socket.write(JSON_REQUEST);
    await expect.poll(() => taken.length).toBe(2);
    const done = receiver.close(60_000);
    await written(socket, JSON_REQUEST);
    for (const each of finish) each();
    expect((await first).status).toBe(0);
    const answers = await closed;
    expect(answers.match(/HTTP\/1.1 \d+/g)?.[0]).toBe("HTTP/1.1 200");
    expect(answers).not.toMatch(/HTTP\/1.1 200[^]*HTTP\/1.1 200/);
    await done;
    expect(taken.length).toBe(2);
  });

  test("bodies that never end, hanging pipelines and silent connections are cut after the grace period", async () => {
    const { receiver, http, grpc, taken, cuts } = await receive({
      accept: () => new Promise<Acceptance>(() => undefined),
    });
    const endless = rawConnection(http);
    endless.socket.write(`${JSON_HEAD}content-length: 1000\r\n\r\n{`);
    const stuck = rawConnection(http);
    stuck.socket.write(JSON_REQUEST);
    const halfHeaders = rawConnection(grpc);
    halfHeaders.socket.write("POST /v1");
    const client = session(grpc);
    const stream = openCall(client);
    stream.on("error", () => undefined);
    stream.write(frame(Buffer.alloc(100)).subarray(0, 20));
    await expect.poll(() => taken.length).toBe(1);
    await receiver.close(50); // none of them ends by itself
    expect(cuts).toContain("shutdown");
    await Promise.all([endless.closed, stuck.closed, halfHeaders.closed]);
  });
});
