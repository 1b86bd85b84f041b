import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { CheckJson } from "../../src/report/json/verdict-schema.ts";
import { LONGEST_WAIT_MS } from "../support/eventually.ts";
import { runCliWith } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const dump = "test/fixtures/runs/rag-install.langgraph.jsonl";
const folder = temporaryFolder();

beforeAll(() => {
  writeFileSync(
    join(folder, "checks.mjs"),
    `export const passes = () => true;
export function fails({ args, run }) { return { pass: false, value: run.tools.length, message: "wants " + args.word }; }
export const later = async ({ query }) => ({ outcome: "skip", message: query.id });
export const throws = () => { throw new Error("no such luck"); };
export const spins = () => { for (;;); };
export const floods = () => "x".repeat(1e6);
export const eats = () => { const all = []; for (;;) all.push(new Array(1e6).fill(all.length)); };
export const odd = () => ({ passed: "yes" });
export const looks = async () => {
  const { readFileSync } = await import("node:fs");
  const { isMainThread } = await import("node:worker_threads");
  const started = process.platform === "linux" ? readFileSync("/proc/self/environ", "utf8").split("\\0") : [];
  const names = [...Object.keys(process.env), ...started.map((line) => line.split("=")[0])];
  return { pass: true, value: { isMainThread, names: [...new Set(names)].filter(Boolean).sort() } };
};
export const exits = () => process.exit(0);
export const sends = () => { process.send({ result: "true" }); process.send(null); return false; };
export const prints = () => { console.log("noise"); return true; };
`,
  );
  writeFileSync(
    join(folder, "check.mjs"),
    `let text = ""; for await (const part of process.stdin) text += part;
const { run, args } = JSON.parse(text);
console.log(JSON.stringify({ pass: run.answer.includes(args), message: "the answer has " + args, value: Object.keys(process.env).includes("OPENAI_API_KEY") }));
`,
  );
});

interface Tested {
  readonly code: number;
  readonly stdout: string;
  readonly checks: readonly CheckJson[];
}

/** A check that gets all the time a busy machine needs. */
function patient(check: string): string {
  const name = /^\.\/checks\.mjs#\w+$/.test(check) ? `module: "${check}"` : check;
  return `{ ${name}, timeout_ms: ${LONGEST_WAIT_MS} }`;
}

async function tested(...listed: readonly string[]): Promise<Tested> {
  const checks = `[${listed.join(", ")}]`;
  const spec = join(folder, "spec.yaml");
  writeFileSync(spec, `agent: "*"\nqueries:\n  - id: own\n    query: "*"\n    checks: ${checks}\n`);
  const env = { PATH: process.env["PATH"], OPENAI_API_KEY: "sk-secret" };
  const { code, stdout } = await runCliWith({ env }, "test", dump, "--spec", spec, "--format", "json");
  const { verdicts } = JSON.parse(stdout) as {
    verdicts: { layers: Record<string, { checks: CheckJson[] }> }[];
  };
  const found = Object.values(verdicts[0]?.layers ?? {}).flatMap((layer) => layer.checks);
  return { code, stdout, checks: found.filter(({ check }) => check !== "run_status") };
}

describe("a function of a module", () => {
  test("passes, fails with its message and value, or says why it does not apply", async () => {
    const { code, checks } = await tested(
      patient("./checks.mjs#passes"),
      patient('module: "./checks.mjs#fails", args: { word: blue }'),
      patient("./checks.mjs#later"),
      patient("./checks.mjs#prints"),
    );

    expect(code).toBe(1);
    expect(checks).toMatchObject([
      { check: "checks.passes", outcome: "pass", limit: "./checks.mjs#passes" },
      { check: "checks.fails", outcome: "fail", message: "wants blue", value: 1 },
      { check: "checks.later", outcome: "skip", message: "own" },
      { check: "checks.prints", outcome: "pass" },
    ]);
  });

  test("warns in the path and cost layers", async () => {
    const { code, checks } = await tested(patient('module: "./checks.mjs#fails", args: {}, layer: cost'));

    expect(code).toBe(0);
    expect(checks).toMatchObject([{ outcome: "warn" }]);
  });

  test("an error of one costs no other its result", async () => {
    const bad: readonly (readonly [name: string, outcome: string, why: string])[] = [
      ["throws", "error", "no such luck"],
      ["odd", "error", "neither `pass` nor `outcome`"],
      ["floods", "error", "longer than"],
      ["missing", "error", "exports no function missing"],
      ["eats", "error", ""],
      ["exits", "error", ""],
      ["sends", "fail", ""],
    ];
    const names = bad.flatMap(([name]) => [name, "passes"]);
    const { code, checks } = await tested(...names.map((name) => patient(`./checks.mjs#${name}`)));

    expect(code).toBe(1);
    expect(checks).toMatchObject(bad.flatMap(([, outcome]) => [{ outcome }, { outcome: "pass" }]));
    for (const [at, [, , why]] of bad.entries()) expect(checks[2 * at]?.message).toContain(why);
  });

  test("that never ends is ended", async () => {
    const { checks } = await tested(
      '{ module: "./checks.mjs#spins", timeout_ms: 200 }',
      patient("./checks.mjs#passes"),
    );

    expect(checks.map(({ outcome }) => outcome)).toEqual(["error", "pass"]);
    expect(checks[0]?.message).toContain("longer than 200 ms");
  });

  test("a check sees only the listed environment variables, wherever it looks", () => {
    const spec = join(folder, "looks.yaml");
    writeFileSync(spec, 'agent: "*"\nqueries: [{ id: own, query: "*", checks: ./checks.mjs#looks }]\n');
    const secrets = { OPENAI_API_KEY: "sk-secret", DATABASE_URL: "x", NODE_OPTIONS: "--no-warnings" };
    const env = { PATH: process.env["PATH"], HOME: folder, ...secrets };
    const words = ["bin/tracejury.js", "test", dump, "--spec", spec, "--format", "json", "--judge", "off"];
    const { stdout } = spawnSync(process.execPath, words, { env, encoding: "utf8" });

    const { value } = /"value":(?<value>\{"isMainThread".*?\})/.exec(stdout)?.groups ?? {};
    const seen = JSON.parse(value ?? "null") as { isMainThread: boolean; names: readonly string[] };
    expect(seen.isMainThread).toBe(true);
    expect(seen.names.filter((name) => !/^(?:PATH|HOME|NODE_CHANNEL_\w+)$/.test(name))).toEqual([]);
  });
});

describe("a command", () => {
  test("reads the run from its standard input, and gets no keys", async () => {
    const node = JSON.stringify(process.execPath).slice(1, -1);
    const { checks } = await tested(
      patient(`command: "${node} check.mjs", args: pip`),
      patient(`command: "${node} check.mjs", args: zebra`),
    );

    expect(checks).toMatchObject([
      { check: "checks.check", outcome: "pass", value: false },
      { check: "checks.check_2", outcome: "fail", message: "the answer has zebra" },
    ]);
  });

  test("is an error if it fails, says nothing that can be read, says too much, or never ends", async () => {
    const bad: readonly (readonly [command: string, timeoutMs: number, why: string])[] = [
      ["exit 3", 60_000, "ended with code 3"],
      ["kill -KILL $$", 60_000, "ended with signal SIGKILL"],
      ["echo no json", 60_000, "does not have the documented JSON format"],
      ["yes", 60_000, "wrote more than"],
      ["sleep 600", 500, "longer than 500 ms"],
    ];
    const listed = bad.map(([command, timeoutMs]) => `{ command: "${command}", timeout_ms: ${timeoutMs} }`);
    const { code, checks } = await tested(...listed);

    expect(code).toBe(2);
    for (const [at, [, , why]] of bad.entries()) {
      expect(checks[at]?.outcome).toBe("error");
      expect(checks[at]?.message).toContain(why);
    }
  });

  describe.skipIf(process.platform === "win32")("that leaves a process behind", () => {
    /** Sleeps as nothing else on the machine does, so that it is found among all processes. */
    const sleeps = `sleep 600.${process.pid}`;
    test.each([
      ["a program in the background with open output is ended", `${sleeps} & echo true`],
      ["in the background, with its output closed", `${sleeps} > /dev/null 2>&1 & echo true`],
      ["in a session of its own", `setsid ${sleeps} & echo true`],
    ])("%s is judged by its result, and the process is ended with it", async (_, command) => {
      const { code, checks } = await tested(JSON.stringify({ command, timeout_ms: 60_000 }));

      expect(code).toBe(0);
      expect(checks).toMatchObject([{ outcome: "pass" }]);
      await expect.poll(() => leftRunning()).toBe(false);
    });

    test.each([
      ["the command waits for it", `${sleeps} & wait`],
      ["a session of its own keeps it from the group", `setsid ${sleeps} & wait`],
    ])("is ended with it by timeout_ms: %s", async (_, command) => {
      const { code, checks } = await tested(JSON.stringify({ command, timeout_ms: 300 }));

      expect(code).toBe(2);
      expect(checks[0]?.message).toContain("longer than 300 ms");
      await expect.poll(() => leftRunning()).toBe(false);
    });

    /** Whether the process that the command left behind still runs; one that waits to be reaped does not. */
    function leftRunning(): boolean {
      const { stdout } = spawnSync("ps", ["-A", "-o", "stat=,args="], { encoding: "utf8" });
      return stdout.split("\n").some((line) => line.includes(sleeps) && !line.startsWith("Z"));
    }
  });
});
