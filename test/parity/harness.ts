import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { ServeProcess } from "../chaos/serve-process.ts";
import { until } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";
import type { CheckJson, ResultJson, VerdictJson } from "../../src/report/json/verdict-schema.ts";
import { type ModelServer, modelServer, type Received, type Sent } from "../judge/support/model-server.ts";
import { argv, type Ran, runCliWith } from "../support/run-cli.ts";
import { type DumpedRun, documentOf } from "../support/agent-dump.ts";

/** Proves one row of the page: runs commands and looks at what they give. */
export type Proof = (bench: Bench) => Promise<void>;

/** The proofs of one section of the page, by the rule that the row names. */
export type Section = Readonly<Record<string, Proof>>;

export interface Judged extends Ran {
  readonly result: ResultJson;
  /** The first one. */
  readonly verdict: VerdictJson;
  /** Of all layers of the first verdict, by key; the first of several. */
  readonly checks: Readonly<Record<string, CheckJson>>;
  /** The correctness checks that the spec writes; `run_status` is one of every query. */
  readonly correctness: readonly CheckJson[];
  readonly metrics: VerdictJson["metrics"];
}

/** What `report --format json` prints, as far as code of the tests reads it, and its exit code. */
interface Reported {
  readonly code: number;
  readonly groups: unknown;
  readonly across: { readonly comparisons: readonly { readonly b: string; readonly metric: string }[] };
}

type Runs = DumpedRun | readonly DumpedRun[];

export type Answer = (request: Received, n: number) => Sent | "hang";

/** Where a proof works: a folder of its own and the command line; it remembers which commands were run. */
export class Bench {
  readonly ran: (readonly string[])[] = [];
  readonly folder = mkdtempSync(join(tmpdir(), "parity-"));
  env: Record<string, string> = {};

  path(name: string): string {
    return join(this.folder, name);
  }

  /** Writes a file and gives its path. */
  file(name: string, text: string): string {
    writeFileSync(this.path(name), text);
    return this.path(name);
  }

  /** Writes runs as a dump and gives its path. */
  dump(runs: Runs, name = "dump.jsonl"): string {
    const all = [runs].flat() as readonly DumpedRun[];
    return this.file(name, all.map((run, at) => `${JSON.stringify(documentOf(run, at + 1))}\n`).join(""));
  }

  /** Runs the built command as a process of its own, for what reads the process' own streams. */
  runProcess(stdin: string, ...words: readonly string[]): Ran {
    this.ran.push(words);
    const { status, stdout, stderr } = spawnSync(process.execPath, ["bin/tracejury.js", ...words], {
      input: stdin,
      encoding: "utf8",
    });
    return { code: status ?? -1, stdout, stderr };
  }

  async run(...words: readonly string[]): Promise<Ran> {
    this.ran.push(words);
    return runCliWith({ env: this.env }, ...words);
  }

  /** A model that judges; its address stands in the environment of all commands from now on. */
  async judge(answer: Answer): Promise<ModelServer> {
    const server = await modelServer(answer);
    this.env = { OPENAI_API_KEY: "sk-parity", OPENAI_BASE_URL: `${server.url}/v1` };
    return server;
  }

  /** `serve` with this spec, which has judged the run; gives the address of its API. */
  async serve(run: DumpedRun, spec: string, more = ""): Promise<string> {
    const [http, admin] = [await freePort(), await freePort()];
    const config = this.file(
      "serve.yaml",
      `data_dir: ${this.path("data")}
receive: { http: 127.0.0.1:${http}, grpc: "off" }
admin: 127.0.0.1:${admin}
specs: [${this.file("served.yaml", spec)}]
assemble: { root_quiet: 200ms }
${more}`,
    );
    this.ran.push(["serve", "--config", config]);
    const served = await ServeProcess.start({ config });
    onTestFinished(async () => void (await served.end("SIGKILL")));
    const body = readFileSync(this.dump(run, "served.jsonl"), "utf8");
    const headers = { "content-type": "application/json" };
    await fetch(`http://127.0.0.1:${http}/v1/traces`, { method: "POST", headers, body });
    const url = `http://127.0.0.1:${admin}`;
    await until(
      async () => (await (await fetch(`${url}/api/v1/verdicts`)).text()).includes("verdict_id"),
      () => `serve judges a run: ${served.log}`,
    );
    return url;
  }

  /** `test` of runs by a spec whose only query is `"*"` with these blocks, or by a whole spec. */
  async test(spec: string, runs: Runs, ...words: readonly string[]): Promise<Judged> {
    const isUnasked = Object.keys(this.env).length === 0 && !words.includes("--judge");
    const judge = isUnasked ? ["--judge", "off"] : [];
    const file = this.file("spec.yaml", wholeSpec(spec));
    return judgedOf(
      await this.run(...argv`test ${this.dump(runs)} --spec ${file} --format json ${judge} ${words}`),
    );
  }

  /** As `test`, for options whose output is not the result, and without judges. */
  async print(spec: string, runs: Runs, ...words: readonly string[]): Promise<Ran> {
    const file = this.file("spec.yaml", wholeSpec(spec));
    return this.run(...argv`test ${this.dump(runs)} --spec ${file} --judge off ${words}`);
  }

  /** What `report` gives of runs. */
  async report(spec: string, runs: Runs, ...words: readonly string[]): Promise<Reported> {
    const file = this.file("spec.yaml", wholeSpec(spec));
    const judge = Object.keys(this.env).length === 0 ? ["--judge", "off"] : [];
    const { code, stdout } = await this.run(
      ...argv`report ${this.dump(runs)} --spec ${file} --format json ${judge} ${words}`,
    );
    return { code, ...(JSON.parse(stdout) as Omit<Reported, "code">) };
  }

  /** What `validate` says of blocks of a query `"*"`, or of a whole spec. */
  async validate(spec: string): Promise<Ran> {
    return this.run("validate", this.file("spec.yaml", wholeSpec(spec)));
  }
}

export function specOf(blocks: string): string {
  return `version: 1\nagent: "*"\nqueries:\n  - query: "*"\n    id: any\n    ${blocks.split("\n").join("\n    ")}\n`;
}

/** Blocks of a query `"*"` as a spec; other texts are whole specs. */
function wholeSpec(spec: string): string {
  return /^(?:version:|\{)/.test(spec) ? spec : specOf(spec);
}

function judgedOf(ran: Ran): Judged {
  if (!ran.stdout.startsWith("{")) throw new Error(`no result: ${ran.stdout}${ran.stderr}`);
  const result = JSON.parse(ran.stdout) as ResultJson;
  const [verdict] = result.verdicts;
  if (verdict === undefined) throw new Error(`no verdict: ${ran.stdout.slice(0, 500)}`);
  const correctness = verdict.layers.correctness.checks.filter(({ check }) => check !== "run_status");
  return { ...ran, result, verdict, checks: checksOf(verdict), correctness, metrics: verdict.metrics };
}

export function checksOf({
  layers: { correctness, path, cost },
}: VerdictJson): Readonly<Record<string, CheckJson>> {
  const all = [...correctness.checks, ...path.checks, ...cost.checks];
  return Object.fromEntries(all.toReversed().map((check) => [check.check, check]));
}

/** As `expect(actual).toMatchObject(expected)`, for one line. */
export function matches(actual: unknown, expected: object): void {
  expect(actual).toMatchObject(expected);
}
