import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isSeq, parseDocument, type YAMLMap } from "yaml";
import { z } from "zod";
import { resultSchema, type VerdictJson } from "../../../src/report/json/verdict-schema.ts";
import { assignIds } from "../../../src/spec/compile/ids.ts";
import { secretSample } from "../../redact/secret-sample.ts";
import { runCli } from "../../support/run-cli.ts";
import { planted } from "./planted.ts";
import { specOfTruth, wrongCopies } from "./truth.ts";

/*
 * `npm run long -- propose FOLDER…`: `propose` over the recordings below each FOLDER (folders with `traces.jsonl`, maybe `logs.jsonl`), for each
 * example spec, and for a spec made of what the recordings' truth says (`expected.json`), with wrong copies of right runs beside them. Prints one JSON object and ends with 1 unless
 * - each proposed test is marked on its own run, and without the mark fails on it (what is left to be finished is incomplete),
 * - it passes on the right run that it was compared with, where there is one,
 * - the spec with the proposals in it has no more tests proposed for the same runs, and
 * - of 200 secrets planted in the recordings none is in a file that was written.
 */

const SECRETS = 200;

const proposedSchema = z.object({
  spec: z.string().nullable(),
  proposals: z.array(
    z.object({
      query_id: z.string(),
      run_id: z.string(),
      reason: z.string(),
      fixture: z.string(),
      block: z.string(),
      expected_fail: z.boolean(),
      todo: z.boolean(),
      replaces: z.string().nullable(),
      good_run_id: z.string().nullable(),
    }),
  ),
  declined: z.array(z.object({ run_id: z.string(), reason: z.string(), why: z.string() })),
});
type Proposed = z.infer<typeof proposedSchema>;

/** Dumps of all recordings below a folder. */
function dumpsBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name === "traces.jsonl")
    .flatMap(({ parentPath }) => ["traces.jsonl", "logs.jsonl"].map((name) => join(parentPath, name)))
    .filter((file) => existsSync(file))
    .toSorted();
}

async function propose(dumps: readonly string[], spec: string, work: string, most = 1000): Promise<Proposed> {
  const to = mkdtempSync(join(work, "fixtures-"));
  const into = join(to, "proposed.yaml");
  const words = ["--spec", spec, "--into", into, "--to", to, "--most", `${most}`, "--format", "json"];
  const { stdout, stderr } = await runCli("propose", ...dumps, ...words);
  if (stdout === "") throw new Error(`propose for ${spec}: ${stderr}`);
  return proposedSchema.parse(JSON.parse(stdout));
}

async function verdictsOf(dumps: readonly string[], spec: string): Promise<readonly VerdictJson[]> {
  const { stdout } = await runCli("test", ...dumps, "--spec", spec, "--judge", "off", "--format", "json");
  return resultSchema.parse(JSON.parse(stdout)).verdicts;
}

interface Counts {
  proposed: number;
  to_be_finished: number;
  declined: number;
  marked_on_its_run: number;
  fails_without_the_mark: number;
  compared_with_a_good_run: number;
  passes_on_it: number;
  proposed_again: number;
  secrets_in_files: number;
}

const counts: Counts = {
  proposed: 0,
  to_be_finished: 0,
  declined: 0,
  marked_on_its_run: 0,
  fails_without_the_mark: 0,
  compared_with_a_good_run: 0,
  passes_on_it: 0,
  proposed_again: 0,
  secrets_in_files: 0,
};
const wrong: string[] = [];

async function checkTests(dumps: readonly string[], found: Proposed, work: string): Promise<void> {
  if (found.spec === null) return;
  const text = readFileSync(found.spec, "utf8");
  const unmarked = join(mkdtempSync(join(work, "unmarked-")), "proposed.yaml");
  writeFileSync(unmarked, text.replaceAll(/^.*expected_fail: true\n/gm, ""));
  const fixtures = found.proposals.map(({ fixture }) => fixture);
  const [onOwn, onOwnUnmarked, onAll] = [
    await verdictsOf(fixtures, found.spec),
    await verdictsOf(fixtures, unmarked),
    await verdictsOf(dumps, unmarked),
  ];
  for (const one of found.proposals) {
    const of = (verdicts: readonly VerdictJson[], runId: string): string =>
      verdicts.find(({ query_id: id, run_id: run }) => id === one.query_id && run === runId)?.outcome ??
      "none";
    const expect = (what: keyof Counts, outcome: string, wanted: string): void => {
      if (outcome === wanted) counts[what]++;
      else wrong.push(`${one.query_id} (${one.reason}, run ${one.run_id}): ${what} is ${outcome}`);
    };
    counts.proposed++;
    if (one.todo) {
      expect("to_be_finished", of(onOwn, one.run_id), "incomplete");
      continue;
    }
    expect("marked_on_its_run", of(onOwn, one.run_id), "warn");
    expect("fails_without_the_mark", of(onOwnUnmarked, one.run_id), "fail");
    if (one.good_run_id === null) continue;
    counts.compared_with_a_good_run++;
    expect("passes_on_it", of(onAll, one.good_run_id), "pass");
  }
  counts.declined += found.declined.length;
}

/** The spec with all that was proposed in it: nothing is left to propose. */
async function checkAgain(
  dumps: readonly string[],
  spec: string,
  found: Proposed,
  work: string,
): Promise<void> {
  const merged = join(mkdtempSync(join(work, "merged-")), "merged.yaml");
  const blocks = found.proposals.map(({ block }) => block).join("\n");
  const text = withoutQueries(
    readFileSync(spec, "utf8"),
    new Set(found.proposals.map((one) => one.replaces)),
  );
  writeFileSync(merged, `${text.trimEnd()}\n\n${blocks}`);
  const again = await propose(dumps, merged, work);
  counts.proposed_again += again.proposals.length;
  wrong.push(...again.proposals.map(({ query_id: id, reason }) => `${id} (${reason}) is proposed again`));
}

/** The text of a spec without the queries of these ids. */
function withoutQueries(text: string, ids: ReadonlySet<string | null>): string {
  const document = parseDocument(text);
  const queries = document.get("queries");
  if (!isSeq<YAMLMap<string>>(queries)) throw new Error("the spec has no list of queries");
  const parsed = assignIds(
    queries.items.map((item) => ({
      id: item.get("id") as string | undefined,
      text: item.get("query") as string,
    })),
  );
  queries.items = queries.items.filter((_, at) => !ids.has(parsed[at] ?? null));
  return document.toString({ lineWidth: 0 });
}

async function checkSecrets(dumps: readonly string[], spec: string, work: string): Promise<void> {
  const secrets = secretSample().slice(0, SECRETS);
  const folder = mkdtempSync(join(work, "planted-"));
  const files = dumps.map((dump, at) => {
    const file = join(folder, `${at}.jsonl`);
    writeFileSync(file, planted(readFileSync(dump, "utf8"), secrets));
    return file;
  });
  // A secret in each question makes each run one of its own.
  const found = await propose(files, spec, work, 100);
  const written = [found.spec, ...found.proposals.map(({ fixture }) => fixture)]
    .flatMap((file) => (file === null ? [] : [readFileSync(file, "utf8")]))
    .join("\n");
  const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
  const left = secrets.filter(({ secret }) => written.includes(inJson(secret)));
  counts.secrets_in_files += left.length;
  wrong.push(...left.map(({ rule }) => `a secret of the form ${rule} is in the files`));
}

async function check(dumps: readonly string[], spec: string, work: string): Promise<number> {
  const found = await propose(dumps, spec, work);
  await checkTests(dumps, found, work);
  if (found.proposals.length === 0) return 0;
  await checkAgain(dumps, spec, found, work);
  await checkSecrets(dumps, spec, work);
  return found.proposals.length;
}

const folders = process.argv.slice(2);
if (folders.length === 0) {
  console.error("usage: npm run long -- propose FOLDER…");
  process.exit(2);
}
const work = mkdtempSync(join(tmpdir(), "propose-check-"));
try {
  for (const folder of folders) {
    const dumps = dumpsBelow(folder);
    if (dumps.length === 0) continue;
    const made = mkdtempSync(join(work, "truth-"));
    const truth = join(made, "truth.yaml");
    writeFileSync(truth, specOfTruth(folder));
    const copies = wrongCopies(folder).map(({ name, text }) => {
      const file = join(made, name);
      writeFileSync(file, text);
      return file;
    });
    const proposed = await check([...dumps, ...copies], truth, work);
    console.error(`${folder}: ${proposed} proposed, ${copies.length} wrong copies`);
    for (const name of ["dev-agent", "rag-agent", "support-router"])
      await check(dumps, `specs/${name}.yaml`, work);
  }
} finally {
  rmSync(work, { recursive: true });
}
console.log(JSON.stringify({ ...counts, wrong }, null, 2));
if (counts.proposed === 0 || wrong.length > 0) process.exitCode = 1;
