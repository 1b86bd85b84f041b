import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { agentDump } from "../support/agent-dump.ts";
import { LONGEST_WAIT_MS } from "../support/eventually.ts";
import { hex } from "../support/otlp.ts";
import { post, postRecording, serveInTest } from "../support/serve.ts";
import type { Collector } from "../../src/collector/inputs/live-port.ts";
import { runCli } from "../support/run-cli.ts";
import { exampleSpec } from "../support/spec-of.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** Serves with a store in `path`; traces are judged as soon as they are whole. */
async function started(path: string): Promise<Collector> {
  return serveInTest({
    specs: ["rag-agent", "dev-agent"].map(exampleSpec),
    timeouts: { rootQuietMs: 0, rootOpenMs: 0 },
    store: {
      mode: "sqlite",
      path: join(path, "store.db"),
      telemetry: true,
      retention: { maxAgeMs: 1e12, maxBytes: 1e12 },
      perSecond: 100,
    },
  });
}

async function api<T>(live: Collector, path: string, init: RequestInit = {}): Promise<T> {
  const answer = await fetch(`http://${live.listening.admin}/api/v1/${path}`, init);
  return (await answer.json()) as T;
}

interface Verdicts {
  readonly verdicts: readonly { verdict_id: string; run_id: string; outcome: string; query_id: string }[];
}

/** Waits for so many verdicts to be in the store, by following its events. */
async function verdictsCome(live: Collector, count: number): Promise<void> {
  const answer = await fetch(`http://${live.listening.admin}/api/v1/events?after=0`);
  let seen = 0;
  const utf8 = new TextDecoder();
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    seen += utf8.decode(chunk).match(/^event: verdict$/gm)?.length ?? 0;
    if (seen >= count) return;
  }
}

describe("what is served from the store", () => {
  test("verdicts, runs, spans, sums and events, also after a restart", async () => {
    const path = temporaryFolder();
    const live = await started(path);
    await postRecording(live, "rag-weather-fixed.langgraph");
    await postRecording(live, "rag-weather-broken.langgraph");
    await verdictsCome(live, 2);
    const before = await api<Verdicts>(live, "verdicts");
    expect(before.verdicts.map(({ outcome }) => outcome).sort()).toEqual(["fail", "pass"]);
    await live.stop(LONGEST_WAIT_MS);

    const again = await started(path);
    expect(await api<Verdicts>(again, "verdicts")).toEqual(before);
    const failed = before.verdicts.find(({ outcome }) => outcome === "fail");
    const run = await api<{ answer: string; verdicts: object[] }>(again, `runs/${failed?.run_id}`);
    expect(run.verdicts).toEqual([failed]);
    const { runs } = await api<{ runs: { run_id: string }[] }>(again, "runs?outcome=fail&text=WEATHER");
    expect(runs).toMatchObject([{ run_id: failed?.run_id, outcome: "fail", complete: true }]);
    const { spans } = await api<{ spans: { name: string }[] }>(again, `runs/${failed?.run_id}/spans`);
    expect(spans.length).toBeGreaterThan(3);
    const { queries } = await api<{ queries: object[] }>(again, "queries?since=2h");
    expect(queries).toMatchObject([
      { query_id: "weather", verdicts: 2, outcomes: { pass: 1, fail: 1 }, pass_rate: 0.5 },
    ]);
  });

  test.each(["rag-weather-broken.langgraph", "support-cancel.agents-sdk"])(
    "a run's telemetry, read again, is the same run: %s",
    async (recording) => {
      const path = temporaryFolder();
      const live = await started(path);
      await postRecording(live, recording);
      await live.whenIdle();
      await expect.poll(async () => (await api<{ runs: object[] }>(live, "runs")).runs.length).toBe(1);
      const [summary] = (await api<{ runs: { run_id: string }[] }>(live, "runs")).runs;
      const answer = await fetch(`http://${live.listening.admin}/api/v1/runs/${summary?.run_id}/telemetry`);
      const dump = join(path, "dump.jsonl");
      writeFileSync(dump, await answer.text());
      const one = await runCli("inspect", "--format", "json", dump);
      const other = await runCli("inspect", "--format", "json", `test/fixtures/runs/${recording}.jsonl`);
      expect(JSON.parse(one.stdout)).toEqual(JSON.parse(other.stdout));
    },
  );
});

test("a resource that many traces share is stored once, not with each trace", async () => {
  const live = await started(temporaryFolder());
  const request = (number: number, size: number): string => {
    const [line = ""] = agentDump([{ query: "Hello", answer: "Hi" }], number).split("\n");
    const body = JSON.parse(line) as { resourceSpans: { resource: { attributes: object[] } }[] };
    const attribute = (key: string) => ({ key, value: { stringValue: "x".repeat(size) } });
    body.resourceSpans[0]?.resource.attributes.push(attribute("vcs.ref.head.name"), attribute("process.env"));
    return JSON.stringify(body);
  };
  expect(await post(live, request(1, 100))).toBe(200);
  expect(await post(live, request(2, 2 ** 20))).toBe(200);
  const stored = async () => (await api<{ runs: { run_id: string; trace_id: string }[] }>(live, "runs")).runs;
  await expect.poll(async () => (await stored()).length).toBe(2);
  for (const { run_id: id } of await stored()) {
    const isLarge = id.startsWith(hex("t2", 32));
    const answer = await fetch(`http://${live.listening.admin}/api/v1/runs/${id}/telemetry`);
    expect((await answer.text()) === "").toBe(isLarge);
    const run = JSON.stringify(await api(live, `runs/${id}`));
    expect(run.length).toBeLessThan(50_000);
    expect(run).toContain("xxxx");
  }
});

describe("POST /api/v1/backtest", () => {
  const asked = (live: Collector, body: object): Promise<Response> =>
    fetch(`http://${live.listening.admin}/api/v1/backtest`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });

  test("says which stored runs a changed spec would judge differently, as the command does of a dump", async () => {
    const live = await started(temporaryFolder());
    await postRecording(live, "rag-weather-fixed.langgraph");
    await postRecording(live, "rag-weather-broken.langgraph");
    await verdictsCome(live, 2);
    const text = readFileSync("specs/rag-agent.yaml", "utf8");
    const spec = text.replaceAll(/^ *forbidden_tools:.*\n/gm, "");
    const answer = await asked(live, { spec, base: "rag-agent" });
    expect(answer.status).toBe(200);
    const report = (await answer.json()) as { flips: { before: object; after: object; run_id: string }[] };
    const failed = (await api<Verdicts>(live, "verdicts")).verdicts.find(({ outcome }) => outcome === "fail");
    expect(report).toMatchObject({
      summary: { runs: 2, judged: 2, flips: 1, worse: 0, without_telemetry: 0 },
      flips: [{ run_id: failed?.run_id, before: { outcome: "fail" }, after: { outcome: "warn" } }],
    });

    const same = await asked(live, { spec: text });
    expect(await same.json()).toMatchObject({ summary: { runs: 2, flips: 0 } });
  });

  test("a spec that is invalid, reads files or has no matching spec is refused with its problems", async () => {
    const live = await started(temporaryFolder());
    const outside = "version: 1\nagent: rag-agent\nqueries: !include /etc/passwd\n";
    for (const [body, why] of [
      [{ spec: "queries: []\nagnt: x\n" }, /agent/],
      [{ spec: outside }, /passwd/],
      [{ spec: "version: 1\nagent: nobody\nqueries:\n  - query: x\n" }, /the collector has no spec "spec"/],
    ] as const) {
      const answer = await asked(live, body);
      const { error } = (await answer.json()) as { error: { why: string } };
      expect([answer.status, why.test(error.why)]).toEqual([400, true]);
      expect(error.why).not.toContain("root:");
    }
  });
});

test("labels and notes are stored, listed, passed to judge-audit, and can be removed", async () => {
  const live = await started(temporaryFolder());
  await postRecording(live, "rag-weather-broken.langgraph");
  await verdictsCome(live, 1);
  const [verdict] = (await api<Verdicts>(live, "verdicts")).verdicts;
  const post = (body: object, type = "application/json") =>
    fetch(`http://${live.listening.admin}/api/v1/annotations`, {
      method: "POST",
      headers: { "content-type": type },
      body: JSON.stringify(body),
    });
  const said = {
    run_id: verdict?.run_id,
    verdict_id: verdict?.verdict_id,
    label: "pass",
    note: "rain is fine",
  };
  const added = await post(said);
  expect(added.status).toBe(201);
  const { id } = (await added.json()) as { id: number };
  expect(await api(live, `annotations?run=${verdict?.run_id}`)).toMatchObject({ annotations: [said] });
  expect(await api(live, "labels")).toEqual({ [verdict?.run_id ?? ""]: "pass" });
  const changes = { total: 10, failed: 1, reverted: null };
  const changed = await post({ run_id: verdict?.run_id, changes });
  expect(await changed.json()).toMatchObject({ changes });
  expect(await api(live, "changes")).toEqual({
    [verdict?.run_id ?? ""]: { ...changes, cfp: 0.1, pr_revert_rate: null },
  });
  expect((await post({ run_id: verdict?.run_id, changes: { total: 1, failed: 2 } })).status).toBe(400);
  expect((await post({ run_id: "none", note: "x" })).status).toBe(404);
  expect((await post({ run_id: verdict?.run_id, verdict_id: "other" })).status).toBe(404);
  expect((await post({ ...said, label: "perhaps" })).status).toBe(400);
  expect((await post({ ...said, colour: "red" })).status).toBe(400);
  expect((await post(said, "text/plain")).status).toBe(415);
  expect((await post({ ...said, note: "x".repeat(300_000) })).status).toBe(413);
  const gone = await api(live, `annotations/${id}`, { method: "DELETE" });
  expect(gone).toEqual({ deleted: true });
  expect(await api(live, "labels")).toEqual({});
});
