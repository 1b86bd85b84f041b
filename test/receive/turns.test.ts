import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { LARGE_BODY_BYTES, type Turn, Turns } from "../../src/receive/connection/turns.ts";
import { ACCEPTED, JSON_TYPE, rawConnection, receive, send } from "./support.ts";

const GZIP = { "content-encoding": "gzip" };
const READING_MS = 100;
/** Enough for a sender to come and go meanwhile, also on a busy machine. */
const LONG_READING_MS = 600;

/** As the decoder does with a large body: nothing else is done meanwhile. */
function read(readingMs = READING_MS): void {
  const until = performance.now() + readingMs;
  while (performance.now() < until);
}

describe("large bodies", () => {
  const large = Buffer.alloc(LARGE_BODY_BYTES + 1000, 0x20);

  test.each([
    ["gzip", gzipSync(large), GZIP],
    ["gzip of a wrong size", Buffer.concat([gzipSync(large), gzipSync(Buffer.alloc(10))]), GZIP],
    ["no coding", large, {}],
  ])("take turns: a small request waits for one of eight, not for all (%s)", async (_, body, headers) => {
    let largeBodies = 0;
    const { http, outcomes } = await receive({
      accept: (taken) => {
        if (taken.length > LARGE_BODY_BYTES) {
          largeBodies++;
          read();
        }
        return ACCEPTED;
      },
    });
    const eight = Promise.all(
      Array.from({ length: 8 }, () => send(http, "/v1/traces", { ...JSON_TYPE, ...headers }, body)),
    );
    const readMeanwhile: number[] = [];
    const sending = { isOver: false };
    void eight.then(() => (sending.isOver = true));
    while (!sending.isOver) {
      const before = largeBodies;
      await send(http, "/v1/traces", JSON_TYPE, "{}");
      readMeanwhile.push(largeBodies - before);
      await sleep(20);
    }
    expect((await eight).map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(largeBodies).toBe(8);
    expect(outcomes.every((outcome) => outcome === "accepted")).toBe(true);
    const ascending = readMeanwhile.sort((a, b) => a - b);
    expect(ascending[ascending.length >> 1]).toBeLessThan(4);
    expect(ascending.at(-1)).toBeLessThan(8); // the first one may have to open its connection meanwhile
  });

  test("of senders that have gone are not read", async () => {
    const { http, taken } = await receive({ accept: () => (read(LONG_READING_MS), ACCEPTED) });
    const body = gzipSync(large);
    const largest = gzipSync(Buffer.concat([large, large]));
    const stay = [1, 2].map(() => send(http, "/v1/traces", { ...JSON_TYPE, ...GZIP }, body));
    await expect.poll(() => taken.length, { interval: 5 }).toBe(1);
    const head = `POST /v1/traces HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-encoding: gzip\r\n`;
    const { socket, closed } = rawConnection(http);
    socket.write(`${head}content-length: ${largest.length}\r\n\r\n`);
    socket.write(largest);
    await sleep(20);
    socket.resetAndDestroy();
    await closed;
    expect((await Promise.all(stay)).map(({ status }) => status)).toEqual([200, 200]);
    await sleep(3 * LONG_READING_MS);
    expect(taken).toHaveLength(2);
  });
});

describe("turns", () => {
  const taken = async (turns: Turns, bytes: number): Promise<Turn> => {
    const turn = await turns.take(bytes);
    if ("kind" in turn) throw new Error(turn.message);
    return turn;
  };

  test("come to the smallest first, one at a time", async () => {
    const turns = new Turns();
    const first = await taken(turns, 9);
    const order: number[] = [];
    const others = [5, 3, 4].map(async (bytes) => {
      const turn = await taken(turns, bytes);
      order.push(bytes);
      turn.end();
      turn.end();
    });
    await sleep(30);
    expect(order).toEqual([]);
    first.end();
    await Promise.all(others);
    expect(order).toEqual([3, 4, 5]);
    (await taken(turns, 1)).end();
  });

  test("are refused, with a time to come back, when too many wait", async () => {
    const turns = new Turns();
    await taken(turns, 1);
    const waiting = Array.from({ length: 65 }, () => turns.take(1));
    expect(await waiting.at(-1)).toMatchObject({ kind: "unavailable", retryAfterS: 2 });
  });
});
