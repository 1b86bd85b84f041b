import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { nothingRedacted, Redactor } from "../../src/support/redact/redactor.ts";
import { resultSchema } from "../../src/report/json/verdict-schema.ts";
import { secretSample } from "../redact/secret-sample.ts";
import { recordedDump, type RecordedRun } from "../support/recorded-run.ts";
import { cli, runCli } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

let dir = "";
let spec = "";
beforeEach(() => {
  dir = temporaryFolder();
  spec = join(dir, "shop.yaml");
  writeFileSync(
    spec,
    `agent: shop
defaults:
  path: { forbidden_tools: [delete_all] }
queries:
  - { id: hello, query: Hello }
  - id: refund
    query: Refund an order
    match: { pattern: "Refund order {number}" }
    path: { expected_tools: [refund], severity: fail }
`,
  );
});

const bad = { query: "Refund order 7", tools: ["delete_all"], answer: "Done." };
const good = { query: "Refund order 7", tools: ["lookup", "refund"], answer: "Refunded." };
const broken = { query: "Cancel order 8", error: "the model is down" };
const unknown = { query: "Where is my parcel?", answer: "I do not know." };
const noticed = { query: "Hello", tools: ["delete_all"], answer: "Hi." };
const fine = { query: "Hello", answer: "Hi." };

function dumpOf(...runs: readonly Partial<RecordedRun>[]): string {
  const file = join(dir, "dump.jsonl");
  writeFileSync(
    file,
    recordedDump(...runs.map((run, n) => ({ trace: `t${n}`, query: "", at: n * 1000, ...run }))),
  );
  return file;
}

async function proposed(dump: string, ...words: string[]) {
  const { code, stdout, stderr } = await cli`propose ${dump} --spec ${spec} --format json ${words}`;
  expect(stderr).toBe("");
  return { code, ...JSON.parse(stdout) };
}

async function outcomes(dump: string, file: string): Promise<Record<string, string>> {
  const { stdout } = await runCli("test", dump, "--spec", file, "--judge", "off", "--format", "json");
  const { verdicts } = resultSchema.parse(JSON.parse(stdout));
  return Object.fromEntries(verdicts.map(({ query_id: id, outcome }) => [id, outcome]));
}

describe("propose", () => {
  test("writes a redacted dump and a query for each question that went wrong or that no query is about", async () => {
    const before = readFileSync(spec, "utf8");
    const found = await proposed(dumpOf(bad, good, bad, broken, unknown, noticed, fine));

    expect(found.code).toBe(0);
    expect(
      found.proposals.map((one: Record<string, unknown>) => [
        one["query_id"],
        one["reason"],
        one["expected_fail"],
        one["todo"],
      ]),
    ).toEqual([
      ["refund-order-7", "failed", true, false],
      ["cancel-order-8", "error", true, false],
      ["where-is-my-parcel", "unmatched", false, true],
    ]);
    expect(readFileSync(spec, "utf8")).toBe(before);
    expect(readdirSync(join(dir, "fixtures"))).toHaveLength(3);
    expect(parse(readFileSync(found.spec, "utf8"))).toMatchObject({
      agent: "shop",
      defaults: { path: { forbidden_tools: ["delete_all"] } },
      queries: [
        { query: "Refund order 7", expected_fail: true },
        { query: "Cancel order 8", expected_fail: true },
        { query: "Where is my parcel?", todo: expect.any(String) },
      ],
    });
  });

  test("each test fails on its run, is marked, and passes on a good run of the question", async () => {
    const found = await proposed(dumpOf(bad, good, broken));
    const runs = Object.fromEntries(
      found.proposals.map((one: { query_id: string; fixture: string }) => [one.query_id, one.fixture]),
    );
    const unmarked = join(dir, "unmarked.yaml");
    writeFileSync(unmarked, readFileSync(found.spec, "utf8").replaceAll(/^.*expected_fail: true\n/gm, ""));

    for (const id of ["refund-order-7", "cancel-order-8"]) {
      expect(await outcomes(runs[id], found.spec)).toEqual({ [id]: "warn" });
      expect(await outcomes(runs[id], unmarked)).toEqual({ [id]: "fail" });
    }
    const { code } = await runCli("test", join(dir, "fixtures"), "--spec", found.spec, "--judge", "off");
    expect(code).toBe(0);
    const right = join(dir, "good.jsonl");
    writeFileSync(right, recordedDump({ trace: "g", ...good }));
    expect(await outcomes(right, unmarked)).toEqual({ "refund-order-7": "pass" });
  });

  test("a run that a query of its very question fails is proposed only where the test would notice more", async () => {
    const alone = await proposed(dumpOf(noticed));
    expect(alone).toMatchObject({
      code: 2,
      spec: null,
      proposals: [],
      declined: [
        {
          reason: "failed",
          why: "query hello already fails this run, and the proposed test would detect no more faults than this query",
        },
      ],
    });

    const right = { query: "Hello", tools: ["look_up", "greet"], answer: "Hi." };
    const compared = await proposed(dumpOf(noticed, right));
    expect(compared.proposals).toMatchObject([{ reason: "failed", expected_fail: true, replaces: "hello" }]);
    expect(compared.proposals[0].block).toContain("look_up");
    expect(compared.proposals[0].block).toContain("Replaces query hello");
  });

  test("what was proposed is not proposed again once the spec has it", async () => {
    const dump = dumpOf(bad, good, broken);
    const first = await proposed(dump);
    expect(first.proposals).toHaveLength(2);
    expect(first.proposals.map(({ replaces }: { replaces: unknown }) => replaces)).toEqual([null, null]);
    const blocks = first.proposals.map(({ block }: { block: string }) => block).join("\n");
    writeFileSync(spec, `${readFileSync(spec, "utf8")}\n${blocks}`);
    const again = await proposed(dump, "--into", join(dir, "again.yaml"));
    expect(again).toMatchObject({ code: 2, proposals: [] });
  });

  test("runs that name the ids of other queries, or of none, are the runs of their proposals", async () => {
    const named = (run: Partial<RecordedRun>, id: string) => ({
      ...run,
      attributes: { "tracejury.query.id": id },
    });
    const dump = dumpOf(named(bad, "renamed"), named(broken, "gone"), named(unknown, "hello"));
    const found = await proposed(dump);
    expect(found.proposals.length).toBeGreaterThanOrEqual(2);
    for (const { query_id: id, fixture } of found.proposals) {
      expect(Object.keys(await outcomes(fixture, found.spec))).toEqual([id]);
    }
    const { stdout } = await runCli("test", join(dir, "fixtures"), "--spec", found.spec, "--judge", "off");
    expect(stdout).toContain("which the spec does not have");
    expect(stdout).toContain("matched by the text of the query");
  });

  test("runs of other agents, and right runs, are left alone", async () => {
    writeFileSync(spec, readFileSync(spec, "utf8").replace("agent: shop", "agent: elsewhere"));
    const found = await proposed(dumpOf(bad, broken, fine));
    expect(found).toMatchObject({ code: 2, proposals: [], declined: [] });
  });

  test("nothing is overwritten, and --dry-run writes nothing", async () => {
    const dump = dumpOf(bad);
    expect(await proposed(dump, "--dry-run")).toMatchObject({ code: 0, spec: null });
    expect(readdirSync(dir).toSorted()).toEqual(["dump.jsonl", "shop.yaml"]);

    await proposed(dump);
    const { code, stderr } = await runCli("propose", dump, "--spec", spec);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("exists already") });
  });

  test("of planted secrets none that redaction knows is in the files", async () => {
    const vectors = secretSample();
    const redactor = new Redactor({ ...nothingRedacted, detectors: ["keys"] });
    const unknownForms = vectors.filter(({ text, secret }) => redactor.text(text).includes(secret));
    const attributes = Object.fromEntries(vectors.map(({ text }, at) => [`note.${at}`, text]));
    const told = vectors.map(({ text }) => text).join("\n");
    const dump = dumpOf(
      { ...bad, attributes, answer: told },
      { ...broken, attributes },
      { ...unknown, answer: told },
    );
    const planted = readFileSync(dump, "utf8");
    const found = await proposed(dump);
    const files = [found.spec, ...found.proposals.map(({ fixture }: { fixture: string }) => fixture)];
    const written = files.map((file) => readFileSync(file, "utf8")).join("\n");

    expect(found.proposals).toHaveLength(3);
    expect(vectors.length - unknownForms.length).toBeGreaterThan(250);
    expect(vectors.filter(({ secret }) => !planted.includes(inJson(secret)))).toEqual([]);
    expect(vectors.filter(({ secret }) => written.includes(inJson(secret)))).toEqual(unknownForms);
  });
});

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
