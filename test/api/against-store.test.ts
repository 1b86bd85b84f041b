import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Outcome, outcomes } from "../../src/model/outcome.ts";
import type { JudgedRecord } from "../../src/store/read/stored.ts";
import { serveArchive } from "./served-archive.ts";

/*
 * What the API answers, for any runs, filters and pages, against a plain list of the same runs.
 */

const now = 1_700_000_000_000;
const MINUTE = 60_000;

interface Made {
  readonly agent: string | null;
  readonly service: string | null;
  readonly conversation: string | null;
  readonly model: string;
  readonly text: string | null;
  /** By query id. */
  readonly verdicts: Readonly<Record<string, Outcome>>;
  readonly minutesAgo: number;
}

const texts = ["Where is it?", "WO LIEGT MÜNCHEN?", "wo liegt münchen", "100% _sure_", "Ещё раз", ""];
const queryIds = ["q1", "q2", "q-3"];

const someRun: fc.Arbitrary<Made> = fc.record({
  agent: fc.constantFrom("trip-planner", "Trip Planner", "shop", null),
  service: fc.constantFrom("a", "b", null),
  conversation: fc.constantFrom("c1", "c2", null),
  model: fc.constantFrom("gpt-4o-mini", "GPT-4o", "claude"),
  text: fc.constantFrom(...texts, null),
  verdicts: fc.dictionary(fc.constantFrom(...queryIds), fc.constantFrom(...outcomes), {
    noNullPrototype: true,
  }),
  minutesAgo: fc.integer({ min: 0, max: 10 }),
});

interface Filter {
  readonly outcome?: string;
  readonly agent?: string;
  readonly service?: string;
  readonly conversation?: string;
  readonly model?: string;
  readonly query?: string;
  readonly text?: string;
  readonly since?: string;
  readonly until?: string;
}

const minutes = fc.integer({ min: 0, max: 11 }).map((ago) => new Date(now - ago * MINUTE).toISOString());
const someFilter: fc.Arbitrary<Filter> = fc.record(
  {
    outcome: fc.constantFrom(...outcomes, "none"),
    agent: fc.constantFrom("trip_planner", "SHOP", "nobody"),
    service: fc.constantFrom("a", "b"),
    conversation: fc.constantFrom("c1", "c2"),
    model: fc.constantFrom("gpt", "4O-M", "claude"),
    query: fc.constantFrom(...queryIds),
    text: fc.constantFrom("münchen", "MÜNCHEN", "%", "_sure", "ещё", "is it"),
    since: minutes,
    until: minutes,
  },
  { requiredKeys: [] },
);

function record(made: Made, run: number): JudgedRecord {
  const id = (run + 1).toString(16).padStart(32, "0");
  return {
    run: {
      runId: id,
      traceIds: [id],
      agent: made.agent,
      service: made.service,
      conversationId: made.conversation,
      query: made.text,
      answer: null,
      complete: true,
      startUnixMs: now,
      durationMs: 1,
      totalTokens: run,
      costUsd: null,
      models: [made.model],
      json: JSON.stringify({ run_id: id }),
    },
    verdicts: Object.entries(made.verdicts).map(([queryId, outcome]) => ({
      verdictId: `${id}-${queryId}`,
      revision: 1,
      spec: "s",
      queryId,
      outcome,
      json: JSON.stringify({ verdict_id: `${id}-${queryId}`, outcome }),
    })),
    unjudged: [],
    telemetry: null,
    judgedUnixMs: now - made.minutesAgo * MINUTE,
  };
}

function outcomeOf({ verdicts }: Made): Outcome | "none" {
  const there = new Set(Object.values(verdicts));
  return outcomes.find((outcome) => there.has(outcome)) ?? "none"; // the one that takes precedence first
}

const folded = (name: string | null): string | undefined => name?.toLowerCase().replaceAll(/[-_ ]/g, "");

function fits(made: Made, filter: Filter): boolean {
  const judged = now - made.minutesAgo * MINUTE;
  return (
    (filter.outcome === undefined || outcomeOf(made) === filter.outcome) &&
    (filter.agent === undefined || folded(made.agent) === folded(filter.agent)) &&
    (filter.service === undefined || made.service === filter.service) &&
    (filter.conversation === undefined || made.conversation === filter.conversation) &&
    (filter.model === undefined || made.model.toLowerCase().includes(filter.model.toLowerCase())) &&
    (filter.query === undefined || filter.query in made.verdicts) &&
    (filter.text === undefined || made.text?.toLowerCase().includes(filter.text.toLowerCase()) === true) &&
    (filter.since === undefined || judged >= Date.parse(filter.since)) &&
    (filter.until === undefined || judged < Date.parse(filter.until))
  );
}

interface Listed {
  readonly runs: readonly { readonly run_id: string }[];
  readonly next: string | null;
}

async function get<T>(base: string, path: string, parameters: Readonly<Record<string, string>>): Promise<T> {
  const answer = await fetch(`${base}/${path}?${new URLSearchParams(parameters).toString()}`);
  expect(answer.status).toBe(200);
  return (await answer.json()) as T;
}

describe("for any runs, filter and size of page", () => {
  test("the pages of runs are the list, newest first, and a run that comes meanwhile changes none of them", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(someRun, { maxLength: 25 }),
        someFilter,
        fc.integer({ min: 1, max: 6 }),
        someRun,
        async (made, filter, size, late) => {
          const { base, add, close } = await serveArchive(now);
          try {
            add(...made.map(record));
            const wanted = made.flatMap((one, at) => (fits(one, filter) ? [record(one, at).run.runId] : []));
            const seen: string[] = [];
            let next: string | null = "";
            for (let page = 0; next !== null; page++) {
              const cursor: Record<string, string> = next === "" ? {} : { cursor: next };
              const listed: Listed = await get(base, "runs", { ...filter, limit: String(size), ...cursor });
              expect(listed.runs.length).toBeLessThanOrEqual(size);
              seen.push(...listed.runs.map(({ run_id: id }) => id));
              ({ next } = listed);
              if (page === 0) add(record(late, 1000));
            }
            expect(seen).toEqual(wanted.reverse());
          } finally {
            await close();
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  test("the sums of queries count each verdict once, and each verdict can be asked for", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(someRun, { maxLength: 15 }), async (made) => {
        const { base, add, close } = await serveArchive(now);
        try {
          add(...made.map(record));
          const { queries } = await get<{
            queries: { query_id: string; verdicts: number; outcomes: Record<string, number> }[];
          }>(base, "queries", { since: new Date(now - 3_600_000).toISOString() });
          for (const queryId of queryIds) {
            const outcomesOf = made.flatMap(({ verdicts }) => verdicts[queryId] ?? []);
            const found = queries.find(({ query_id: id }) => id === queryId);
            expect(found?.verdicts ?? 0).toBe(outcomesOf.length);
            for (const outcome of outcomes)
              expect(found?.outcomes[outcome] ?? 0).toBe(outcomesOf.filter((one) => one === outcome).length);
          }
          for (const [at, one] of made.entries()) {
            const { run, verdicts } = record(one, at);
            const found = await get<{ verdicts: { verdict_id: string }[] }>(base, `runs/${run.runId}`, {});
            expect(new Set(found.verdicts.map(({ verdict_id: id }) => id))).toEqual(
              new Set(verdicts.map(({ verdictId }) => verdictId)),
            );
          }
        } finally {
          await close();
        }
      }),
      { numRuns: 20 },
    );
  });

  test("an answer has a tag of its own: the same answer the same, another another", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(someRun, { minLength: 1, maxLength: 8 }),
        fc.array(someFilter, { minLength: 2, maxLength: 6 }),
        async (made, filters) => {
          const { base, add, close } = await serveArchive(now);
          try {
            add(...made.map(record));
            const textOf = new Map<string, string>();
            for (const filter of filters) {
              const url = `${base}/runs?${new URLSearchParams({ ...filter }).toString()}`;
              const answer = await fetch(url);
              const tag = answer.headers.get("etag") ?? "";
              const text = await answer.text();
              expect(textOf.get(tag) ?? text).toBe(text);
              textOf.set(tag, text);
              const again = await fetch(url, { headers: { "if-none-match": tag } });
              expect([again.status, await again.text()]).toEqual([304, ""]);
            }
            expect(new Set(textOf.values()).size).toBe(textOf.size);
          } finally {
            await close();
          }
        },
      ),
      { numRuns: 20 },
    );
  });
});

test("a reader that is cut off again and again gets every verdict once, while more come", async () => {
  const { base, add, close } = await serveArchive(now);
  try {
    const everyOne = Array.from({ length: 400 }, (_, run) => run);
    let written = 0;
    const writeSome = (): void => {
      const some = everyOne.slice(written, written + 23);
      written += some.length;
      add(...some.map((run) => record({ ...plain, verdicts: { q1: "pass" } }, run)));
    };
    const seen: string[] = [];
    let last = "0";
    for (let connection = 0; seen.length < everyOne.length; connection++) {
      const cut = new AbortController();
      const answer = await fetch(`${base}/events`, {
        headers: { "last-event-id": last },
        signal: cut.signal,
      });
      writeSome();
      const wanted = Math.min(everyOne.length, seen.length + 1 + ((connection * 7) % 40), written);
      for await (const { id, verdict } of eventsOf(answer)) {
        seen.push(verdict);
        last = id;
        if (seen.length >= wanted) break;
      }
      cut.abort();
    }
    expect(seen).toEqual(everyOne.map((run) => `${record(plain, run).run.runId}-q1`));
  } finally {
    await close();
  }
});

const plain: Made = {
  agent: "a",
  service: null,
  conversation: null,
  model: "m",
  text: "t",
  verdicts: {},
  minutesAgo: 0,
};

async function* eventsOf(answer: Response): AsyncGenerator<{ id: string; verdict: string }> {
  let text = "";
  const utf8 = new TextDecoder();
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    text += utf8.decode(chunk, { stream: true });
    const whole = text.split("\n\n");
    text = whole.pop() ?? "";
    for (const event of whole) {
      const [, id, data] = /^id: (\d+)\nevent: verdict\ndata: (.*)$/m.exec(event) ?? [];
      if (id === undefined || data === undefined) continue;
      yield { id, verdict: (JSON.parse(data) as { verdict_id: string }).verdict_id };
    }
  }
}
