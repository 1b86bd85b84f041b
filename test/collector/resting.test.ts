import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { killed, verdictFile, verdictLines } from "../support/data-folder.ts";
import { LONGEST_WAIT_MS } from "../support/eventually.ts";
import { post as postBody, serveInTest } from "../support/serve.ts";
import type { Collector } from "../../src/collector/inputs/live-port.ts";
import { agentTrace, type PlainSpan, requestAsJson, requestAsProtobuf } from "../chaos/agent-trace.ts";
import { type FakeBackend, httpBackend, type HttpAnswers } from "../forward/backends.ts";
import { chaosSpec } from "../support/spec-of.ts";
import { forwardDefaults } from "../support/settings-defaults.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** Takes a request and never answers. */
const hangs: HttpAnswers = () => undefined;

async function start(data: string, endpoints: readonly string[], budget = 2 ** 26): Promise<Collector> {
  // A request that a busy machine answers late is not sent twice.
  const patient = { ...forwardDefaults, passHeaders: ["x-tenant"], timeoutMs: LONGEST_WAIT_MS };
  return serveInTest({
    specs: [chaosSpec()],
    timeouts: { rootQuietMs: 100, rootOpenMs: 150, lateWindowMs: 200 },
    export: { file: verdictFile(data) },
    forward: {
      destinations: endpoints.map((endpoint) => ({ ...patient, endpoint })),
      dataDir: data,
      durability: "flush",
    },
    journal: { dir: join(data, "journal"), durability: "flush", budget },
  });
}

async function post(live: Collector, body: Uint8Array, headers: Record<string, string> = {}): Promise<void> {
  expect(await postBody(live, body, { "x-tenant": "blue", ...headers })).toBe(200);
}

const spansOf = (n: number): PlainSpan[] => {
  const { tools, root } = agentTrace(11, n, 2);
  return [...tools, root];
};
const requests = Array.from({ length: 5 }, (_, n) => Buffer.from(requestAsProtobuf(spansOf(n))));

const bodies = ({ got }: FakeBackend): string[] => got.map(({ body }) => body.toString("hex")).sort();
const hex = (sent: readonly Uint8Array[]): string[] =>
  sent.map((body) => Buffer.from(body).toString("hex")).sort();

/** Another backend where one was. */
async function instead(of: FakeBackend, answer?: HttpAnswers): Promise<FakeBackend> {
  await of.stop();
  return httpBackend(answer, Number(new URL(of.endpoint).port));
}

/** Bytes that lie in the folder of the backends' own queues. */
function queuedBytes(data: string): number {
  const files = readdirSync(join(data, "forward"), { recursive: true, withFileTypes: true });
  const segments = files.filter(({ name }) => name.endsWith(".segment"));
  return segments.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

describe("a request that the journal has and a backend is to get", () => {
  test.each(["killed", "stopped"])(
    "is sent by the next process when this one is %s, with its headers, once",
    async (end) => {
      const silent = await httpBackend(hangs);
      const data = temporaryFolder();
      const live = await start(data, [silent.endpoint]);
      const json = Buffer.from(requestAsJson(spansOf(9)));
      for (const body of requests.slice(1)) await post(live, body);
      await post(live, json, { "content-type": "application/json" });
      await silent.came(4);
      const left = end === "killed" ? killed(data) : data;
      // A killed process sends nothing more: this one would try again where the other backend is.
      await live.stop(300);

      const backend = await instead(silent);
      await start(left, [backend.endpoint]);
      await backend.came(5);
      expect(bodies(backend)).toEqual(hex([...requests.slice(1), json]));
      expect(backend.got.map(({ headers }) => headers["x-tenant"])).toEqual(Array(5).fill("blue"));
      const types = backend.got.map(({ headers }) => headers["content-type"]);
      expect(types.filter((type) => type === "application/json")).toHaveLength(1);
      expect(backend.got[0]?.headers["tracejury-hops"]).toMatch(/^[\w-]+$/);
    },
  );

  test("stays until every backend has it, when its traces are long done with; nothing is judged or sent a second time", async () => {
    const [quick, silent] = [await httpBackend(), await httpBackend(hangs)];
    const data = temporaryFolder();
    const live = await start(data, [quick.endpoint, silent.endpoint]);
    for (const body of requests) await post(live, body);
    await Promise.all([quick.came(5), silent.came(4)]);
    await expect.poll(() => verdictLines(data).length).toBe(5);
    await expect.poll(() => live.openTraces()).toBe(0);
    await live.stop(300);

    const after = await instead(silent);
    const next = await start(data, [quick.endpoint, after.endpoint]);
    await after.came(5);
    await next.whenIdle();
    await next.stop(300);
    expect(bodies(after)).toEqual(hex(requests));
    expect(quick.got).toHaveLength(5);
    expect(verdictLines(data).length).toBe(5);

    const last = await start(data, [quick.endpoint, after.endpoint]);
    await post(last, requests[0] ?? Buffer.alloc(0));
    await Promise.all([quick.came(6), after.came(6)]);
    expect([quick.got.length, after.got.length]).toEqual([6, 6]);
  });

  test("is let go of when its backend is not there any more", async () => {
    const silent = await httpBackend(hangs);
    const data = temporaryFolder();
    const live = await start(data, [silent.endpoint]);
    for (const body of requests) await post(live, body);
    await silent.came(4);
    await live.stop(300);
    await (await start(data, [])).stop(300);

    const backend = await instead(silent);
    const next = await start(data, [backend.endpoint]);
    await post(next, requests[2] ?? Buffer.alloc(0));
    await backend.came(1);
    expect(backend.got).toHaveLength(1);
  });
});

test("what waits for a backend takes no more than its share of the journal", async () => {
  const silent = await httpBackend(hangs);
  const data = temporaryFolder();
  const live = await start(data, [silent.endpoint], 2 ** 22);
  const large = Buffer.from(
    requestAsProtobuf(spansOf(3).map((span) => ({ ...span, name: "n".repeat(20_000) }))),
  );
  for (let n = 0; n < 30; n++) await post(live, large);
  expect(queuedBytes(data)).toBeGreaterThan(15 * large.length);
});
