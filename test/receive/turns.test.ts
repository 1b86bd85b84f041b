import { createHash } from "node:crypto";
import { deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { LARGE_BODY_BYTES, type Turn, Turns } from "../../src/receive/connection/turns.ts";
import { Intake } from "../../src/receive/intake/intake.ts";
import { UNLIMITED } from "../../src/receive/intake/reservation.ts";
import { until } from "../support/eventually.ts";
import { ACCEPTED, JSON_TYPE, rawConnection, receive, send, written, JSON_HEAD } from "./support.ts";

const GZIP = { "content-encoding": "gzip" };
const LARGE_REQUESTS = 8;

/** As the decoder does with a large body: nothing else is done meanwhile. */
function decode(body: Uint8Array): void {
  createHash("sha256").update(body).digest();
}

describe("large bodies", () => {
  const large = Buffer.alloc(LARGE_BODY_BYTES + 1000, 0x20);

  test.each([
    ["gzip", gzipSync(large), GZIP],
    ["gzip of a wrong size", Buffer.concat([gzipSync(large), gzipSync(Buffer.alloc(10))]), GZIP],
    ["no coding", large, {}],
  ])(
    "take turns: a small request waits for one of eight large ones, not for all (%s)",
    async (_, body, headers) => {
      const read = { large: 0 };
      const { http, outcomes } = await receive({
        accept: (taken) => {
          if (taken.length > LARGE_BODY_BYTES) {
            read.large++;
            decode(taken);
          }
          return ACCEPTED;
        },
      });
      const sending = Promise.all(
        Array.from({ length: LARGE_REQUESTS }, () =>
          send(http, "/v1/traces", { ...JSON_TYPE, ...headers }, body),
        ),
      );
      await until(() => read.large > 0);
      const readBefore: number[] = [];
      while (read.large < LARGE_REQUESTS) {
        await send(http, "/v1/traces", JSON_TYPE, "{}");
        readBefore.push(read.large);
      }
      expect((await sending).map(({ status }) => status)).toEqual(Array(LARGE_REQUESTS).fill(200));
      expect(outcomes.every((outcome) => outcome === "accepted")).toBe(true);
      expect(readBefore.filter((count) => count < LARGE_REQUESTS).length).toBeGreaterThan(0);
    },
  );

  test("of senders that have gone are not read", async () => {
    const finish: (() => void)[] = [];
    const { http, taken, outcomes } = await receive({
      accept: () => new Promise((resolve) => finish.push(() => resolve(ACCEPTED))),
    });
    const body = gzipSync(large);
    const largest = gzipSync(Buffer.concat([large, large]));
    const stay = [1, 2].map(() => send(http, "/v1/traces", { ...JSON_TYPE, ...GZIP }, body));
    await until(() => taken.length > 0);
    const { socket, closed } = rawConnection(http);
    socket.write(`${JSON_HEAD}content-encoding: gzip\r\ncontent-length: ${largest.length}\r\n\r\n`);
    await written(socket, largest);
    socket.resetAndDestroy();
    await closed;
    finish[0]?.();
    await expect.poll(() => finish.length).toBe(2);
    finish[1]?.();
    expect((await Promise.all(stay)).map(({ status }) => status)).toEqual([200, 200]);
    await expect.poll(() => outcomes.toSorted()).toEqual(["accepted", "accepted", "cancelled"]);
    // One more would be read behind it.
    const last = send(http, "/v1/traces", { ...JSON_TYPE, ...GZIP }, body);
    await expect.poll(() => finish.length).toBe(3);
    finish[2]?.();
    await last;
    expect(taken.map((one) => one.body.length)).toEqual([large.length, large.length, large.length]);
  });
});

describe("turns", () => {
  const taken = async (turns: Turns, bytes: number): Promise<Turn> => {
    const turn = await turns.take(bytes);
    if ("kind" in turn) throw new Error(turn.message);
    return turn;
  };

  test("end when the body was answered while it waited", async () => {
    const turns = new Turns();
    const other = await taken(turns, 1);
    // The last bytes before the pause for the turn are wrong, so that the decoder fails during the wait.
    const body = Uint8Array.from(deflateSync(Buffer.alloc(LARGE_BODY_BYTES + 10_000)));
    body[body.length - 1] = (body.at(-1) ?? 0) ^ 1;
    const answers: string[] = [];
    const caller = {
      gone: false,
      objection: () => null,
      header: () => undefined,
      answer: ({ kind }: { readonly kind: string }) => void answers.push(kind),
    };
    const log = { warn: () => undefined, error: () => undefined };
    const context = { turns, log, maxBody: 2 * LARGE_BODY_BYTES, accept: () => ACCEPTED };
    new Intake(context, UNLIMITED, caller).take(body, "deflate", {
      signal: "traces",
      encoding: "json",
      transport: "http",
      wireBytes: body.length,
    });
    await until(() => answers.length > 0);
    expect(answers).toEqual(["malformed"]);
    other.end();
    // Resolves only if the turn of the answered body has ended.
    (await taken(turns, 1)).end();
    expect(answers).toHaveLength(1);
  });

  test("are refused, with a time to come back, when too many wait", async () => {
    const turns = new Turns();
    await taken(turns, 1);
    const waiting = Array.from({ length: 65 }, () => turns.take(1));
    expect(await waiting.at(-1)).toMatchObject({ kind: "unavailable", retryAfterS: 2 });
  });
});
