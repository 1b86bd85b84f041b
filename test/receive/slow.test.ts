import { describe, expect, test } from "vitest";
import {
  ACCEPTED,
  call,
  frame,
  holdTime,
  rawConnection,
  receive,
  session,
  SWEEP_MS,
  written,
  type Running,
  JSON_HEAD,
  JSON_REQUEST,
  openCall,
} from "./support.ts";

const timeouts = { sweepMs: SWEEP_MS };

interface Exchange {
  readonly answered: Promise<string>;
  readonly ended: Promise<unknown>;
}

function postOnce(address: string): Exchange {
  const { socket, closed } = rawConnection(address);
  socket.write(JSON_REQUEST);
  const answered = new Promise<string>((resolve) => socket.once("data", (chunk) => resolve(String(chunk))));
  return { answered, ended: closed };
}

function callOnce(address: string): Exchange {
  const client = session(address);
  const answered = call(client, frame(Buffer.alloc(3))).then(({ status }) => `grpc-status ${status}`);
  return { answered, ended: new Promise((resolve) => client.on("close", resolve)) };
}

describe("C35 connections of slow senders are closed", () => {
  test("one that connects and says nothing", async () => {
    const time = holdTime();
    const { http, cuts } = await receive({ timeouts });
    const { closed } = rawConnection(http);
    await time.passUntil(closed);
    expect([await closed, cuts]).toEqual(["", ["headers"]]);
  });

  test.each([
    ["HTTP/1 headers", "POST /v1/traces HTTP/1.1\r\nhost: x\r\nx-a: "],
    ["an HTTP/2 preface", "PRI"],
  ])("one whose %s never end, however steadily they come", async (_name, start) => {
    const time = holdTime();
    const { http, cuts } = await receive({ timeouts });
    const { socket, closed } = rawConnection(http);
    await written(socket, start);
    await time.passUntil(closed, () => start !== "PRI" && socket.write("x"));
    expect(cuts).toEqual(["headers"]);
  });

  test("one whose second request on a connection never gets past its headers", async () => {
    const time = holdTime();
    const { http, cuts, taken } = await receive({ timeouts });
    const { socket, closed } = rawConnection(http);
    socket.write(JSON_REQUEST);
    await new Promise((resolve) => socket.once("data", resolve));
    await written(socket, "POST /v1/traces HTTP/1.1\r\nx-a: ");
    await time.passUntil(closed, () => socket.write("x"));
    expect(await closed).toContain("200 OK");
    expect([taken.length, cuts]).toEqual([1, ["headers"]]);
  });

  test.each([
    ["a body of known length", "content-length: 100000\r\n\r\n", "x"],
    ["a chunked body", "transfer-encoding: chunked\r\n\r\n", "1\r\nx\r\n"],
  ])("one that drips %s", async (_name, head, text) => {
    const time = holdTime();
    const { http, cuts, outcomes, taken } = await receive({ timeouts: { ...timeouts, progressMs: 60 } });
    const { socket, closed } = rawConnection(http);
    await written(socket, JSON_HEAD + head);
    await time.passUntil(closed, () => socket.write(text));
    expect([taken, outcomes, cuts]).toEqual([[], ["slow"], ["body"]]);
  });

  test("one whose body makes progress but takes longer than a body may", async () => {
    const time = holdTime();
    const { http, outcomes } = await receive({
      timeouts: { ...timeouts, bodyMs: 100, progressMs: 20, progressBytes: 1 },
    });
    const { socket, closed } = rawConnection(http);
    await written(socket, `${JSON_HEAD}content-length: 100000\r\n\r\n`);
    await time.passUntil(closed, () => socket.write("x"));
    expect(outcomes).toEqual(["slow"]);
  });

  test("one that is refused and goes on sending for ever", async () => {
    const time = holdTime();
    const { http, outcomes } = await receive({ maxBody: 1000, timeouts });
    const { socket, closed } = rawConnection(http);
    await written(socket, `${JSON_HEAD}content-length: 100000\r\n\r\n`);
    await time.passUntil(closed, () => socket.write("x"));
    expect(await closed).toContain("413 ");
    expect(outcomes).toEqual(["too_large"]);
  });

  test("a gRPC call whose message stalls, while others on the connection go on", async () => {
    const time = holdTime();
    const { grpc, outcomes } = await receive({ timeouts: { ...timeouts, progressMs: 60 } });
    const client = session(grpc);
    const stalled = openCall(client);
    const closed = new Promise((resolve) => stalled.on("close", resolve));
    stalled.on("error", () => undefined);
    stalled.write(frame(Buffer.alloc(50_000)).subarray(0, 100));
    await time.passUntil(closed);
    expect(stalled.rstCode).toBe(8);
    expect(outcomes).toEqual(["slow"]);
    const other = openCall(client);
    const trailers = new Promise((resolve) => other.on("trailers", resolve));
    other.resume();
    other.end(frame(Buffer.alloc(3)));
    expect(await trailers).toMatchObject({ "grpc-status": "0" });
  });

  test("a gRPC call that does not take its answer", async () => {
    const time = holdTime();
    const { grpc, cuts } = await receive({ timeouts: { ...timeouts, answerMs: 100 } });
    const { connect } = await import("node:http2");
    const client = connect(`http://${grpc}`, { settings: { initialWindowSize: 0 } });
    client.on("error", () => undefined);
    await new Promise((resolve) => client.on("remoteSettings", resolve));
    const stream = openCall(client);
    stream.on("error", () => undefined);
    const closed = new Promise((resolve) => stream.on("close", resolve));
    stream.end(frame(Buffer.alloc(3)));
    await time.passUntil(closed);
    expect(cuts).toEqual(["response"]);
    client.destroy();
  });

  test.each([
    ["http", ({ http }: Running) => postOnce(http)],
    ["grpc", ({ grpc }: Running) => callOnce(grpc)],
  ])("idle %s connections are ended, busy ones are not", async (_name, begin) => {
    const time = holdTime();
    let finish = () => undefined as void;
    const running = await receive({
      timeouts: { ...timeouts, idleMs: 60 },
      accept: () => new Promise((resolve) => (finish = () => resolve(ACCEPTED))),
    });
    const { answered, ended } = begin(running);
    await expect.poll(() => running.taken.length).toBe(1);
    await time.pass(200);
    expect(running.cuts).toEqual([]);
    finish();
    expect(await answered).toMatch(/200 OK|grpc-status 0/);
    await time.passUntil(ended);
    expect(running.outcomes).toEqual(["accepted"]);
  });

  test("other senders are served while many are slow", async () => {
    holdTime();
    const { http, taken } = await receive();
    for (let i = 0; i < 100; i++) {
      const { socket } = rawConnection(http);
      socket.write(i % 2 === 0 ? "POST /v1/tr" : `${JSON_HEAD}content-length: 1000000\r\n\r\n{`);
    }
    const { socket, closed } = rawConnection(http);
    socket.end(`${JSON_HEAD}connection: close\r\ncontent-length: 2\r\n\r\n{}`);
    expect(await closed).toContain("200 OK");
    expect(taken.length).toBe(1);
  });
});
