import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { JudgedRecord } from "../../src/store/read/stored.ts";
import { Guard } from "../../src/support/security/guard.ts";
import { repeating } from "../support/eventually.ts";
import { now, record } from "../store/stored-records.ts";
import { archiveOfTest } from "./served-archive.ts";

/** Every second run fails, and every third is about another spec, too. */
function recordOf(run: number): JudgedRecord {
  const unjudged = [{ spec: "other", reason: "unmatched" as const, candidates: [] }];
  const made = record({ run, agent: "a", models: [], outcome: run % 2 === 0 ? "pass" : "fail" });
  const verdicts = made.verdicts.map((verdict) => ({ ...verdict, json: `{"verdict_id":"v${run}"}` }));
  return { ...made, verdicts, unjudged: run % 3 === 0 ? unjudged : [] };
}

async function served(): Promise<{ base: string; add: (...runs: number[]) => void }> {
  const { base, add } = await archiveOfTest(now);
  return { base, add: (...runs) => add(...runs.map(recordOf)) };
}

/** Follows events until so many have come; gives their ids and verdicts. */
async function follow(
  url: string,
  count: number,
  last?: string,
): Promise<(readonly [id: string, verdict: string])[]> {
  const headers: Record<string, string> = last === undefined ? {} : { "last-event-id": last };
  const answer = await fetch(url, { headers });
  expect(answer.headers.get("content-type")).toBe("text/event-stream");
  let text = "";
  const utf8 = new TextDecoder();
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    text += utf8.decode(chunk, { stream: true });
    const seen = [...text.matchAll(/^id: (\d+)\nevent: verdict\ndata: \{"verdict_id":"(v\d+)"\}\n\n/gm)];
    if (seen.length < count) continue;
    return seen.slice(0, count).map(([, id = "", verdict = ""]) => [id, verdict] as const);
  }
  return [];
}

describe("events", () => {
  test("a reader that comes back gets what it missed: no gap and no double", async () => {
    const { base, add } = await served();
    add(1, 2, 3);
    const first = await follow(`${base}/events?after=0`, 2);
    add(...Array.from({ length: 300 }, (_, i) => i + 4));
    const rest = await follow(`${base}/events`, 301, first.at(-1)?.[0]);
    expect([...first, ...rest].map(([, verdict]) => verdict)).toEqual(
      Array.from({ length: 303 }, (_, i) => `v${i + 1}`),
    );
  });

  test("end when the reader's credentials are removed, before the next event", async () => {
    const guard = new Guard([{ scheme: "bearer", secret: "reader", scopes: ["read"] }]);
    const { base, add } = await archiveOfTest(now, undefined, { guard });
    add(recordOf(1));
    const headers = { authorization: "Bearer reader" };
    const stream = await fetch(`${base}/events?after=0`, { headers });
    const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
    const utf8 = new TextDecoder();
    let text = "";
    while (!text.includes('"v1"')) text += utf8.decode((await reader.read()).value, { stream: true });
    guard.replace([{ scheme: "bearer", secret: "other", scopes: ["read"] }]);
    add(recordOf(2));

    expect(await reader.read()).toEqual({ done: true, value: undefined });
  });

  test("without a number they begin now", async () => {
    const { base, add } = await served();
    add(1, 2);
    const following = follow(`${base}/events`, 1);
    let run = 3;
    onTestFinished(repeating(20, () => add(run++)));
    expect((await following)[0]?.[1]).not.toBeOneOf(["v1", "v2"]);
  });
});

describe("lists", () => {
  test.each([
    ["runs", "runs", 20],
    ["unjudged", "unjudged", 6],
    ["verdicts", "verdicts", 20],
  ])("%s page through everything once", async (path, name, count) => {
    const { base, add } = await served();
    add(...Array.from({ length: 20 }, (_, i) => i + 1));
    const seen: unknown[] = [];
    for (let next: string | null = ""; next !== null;) {
      const query: string = next === "" ? "" : `&cursor=${next}`;
      const page = (await (await fetch(`${base}/${path}?limit=3${query}`)).json()) as Record<string, unknown>;
      seen.push(...(page[name] as unknown[]));
      next = page["next"] as string | null;
    }
    expect(seen).toHaveLength(count);
    expect(new Set(seen.map((one) => JSON.stringify(one))).size).toBe(count);
  });

  test.each([
    "runs?cursor=!",
    "runs?limit=0",
    "runs?since=yesterday",
    "queries?bucket=day",
    "trends?bucket=year",
    "runs?outcom=fail",
    "events?after=x",
  ])("%s is an error that says what would work", async (path) => {
    const { base } = await served();
    const answer = await fetch(`${base}/${path}`);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      error: { what: expect.any(String), fix: expect.any(String) },
    });
  });

  test("the same answer has the same tag, and is not sent again to those who have it", async () => {
    const { base, add } = await served();
    add(1);
    const first = await fetch(`${base}/runs`);
    const tag = first.headers.get("etag") ?? "";
    const again = await fetch(`${base}/runs`, { headers: { "if-none-match": `W/"x", ${tag}` } });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    add(2);
    const changed = await fetch(`${base}/runs`, { headers: { "if-none-match": tag } });
    expect(changed.status).toBe(200);
    expect(changed.headers.get("etag")).not.toBe(tag);
  });
});

test("queries are counted since a date; one that no run decided has no rate, and not 0", async () => {
  const { base, add } = await archiveOfTest(now);
  add(record({ outcome: "incomplete" }));
  const { queries } = (await (await fetch(`${base}/queries?since=2023-11-01`)).json()) as {
    queries: object[];
  };
  expect(queries).toMatchObject([{ query_id: "q", verdicts: 1, pass_rate: null, pass_rate_interval: null }]);
});

test("the OpenAPI document describes every operation, and names no schema that is not there", async () => {
  const { base } = await served();
  const text = await (await fetch(`${base}/openapi.json`)).text();
  const document = JSON.parse(text) as {
    openapi: string;
    paths: Record<
      string,
      Record<string, { operationId: string; responses: object; parameters: { name: string }[] }>
    >;
  };
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  );
  expect(document.openapi).toBe("3.1.0");
  const created = operations.filter(({ responses }) => "201" in responses);
  expect(created.map(({ method, path }) => `${method} ${path}`)).toEqual(["post /api/v1/annotations"]);
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  for (const { path, parameters } of operations) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    expect(parameters.map(({ name }) => name)).toEqual(expect.arrayContaining(inPath));
  }
  const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1]);
  expect(
    references.filter((one) => one !== "#/components/schemas/Problem" && !one?.includes("$defs")),
  ).toEqual([]);
});

test("runs are counted by facet; a facet given twice takes either value, anything else may be given once", async () => {
  const { base, add } = await served();
  add(1, 2, 3, 4);
  const get = async (path: string): Promise<unknown> => (await fetch(`${base}/${path}`)).json();
  expect(await get("facets?outcome=fail")).toMatchObject({
    total: 2,
    is_partial: false,
    facets: { query: [{ value: "q", runs: 2 }], agent: [{ value: "a", runs: 2 }], model: [] },
  });
  expect(await get("facets?outcome=fail&outcome=pass&query=other")).toMatchObject({ total: 0 });
  expect(await get("runs?outcome=fail&outcome=pass&sort=took&order=asc&limit=3")).toMatchObject({
    runs: [{}, {}, {}],
  });
  expect(await get("runs?sort=took&cursor=1~x")).toMatchObject({ error: { what: expect.any(String) } });
  expect(await get("runs?text=a&text=b")).toMatchObject({ error: { why: expect.stringContaining("twice") } });
});

/** More readers than the event stream has room for. */
const MANY_READERS = 101;

test("a HEAD request takes no room in the event stream", async () => {
  const { base } = await served();
  for (let n = 0; n < MANY_READERS; n++) await fetch(`${base}/events`, { method: "HEAD" });
  const stream = await fetch(`${base}/events`);
  expect(stream.status).toBe(200);
  await stream.body?.cancel();
});

test("a reader of the event stream whose store fails makes room for another", async () => {
  const { base, store } = await archiveOfTest(now);
  const failing = vi.spyOn(store, "since").mockRejectedValue(new Error("the database does not answer"));
  for (let n = 0; n < MANY_READERS; n++) {
    const failed = await fetch(`${base}/events?after=0`);
    expect(failed.status).toBe(200);
    expect(await failed.text()).toContain(": from 0");
  }
  failing.mockRestore();
  const stream = await fetch(`${base}/events?after=0`);
  expect(stream.status).toBe(200);
  await stream.body?.cancel();
});
