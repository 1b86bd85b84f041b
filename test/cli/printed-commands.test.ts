import { execFileSync } from "node:child_process";
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Collector } from "../../src/collector/inputs/live-port.ts";
import { wordsOf } from "../docs/shell.ts";
import { until } from "../support/eventually.ts";
import { runCliWith } from "../support/run-cli.ts";
import { inMemory, postRecording, serve } from "../support/serve.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** What a first session types. `URL` stands for the collector's address. */
const typed = [
  "tracejury doctor URL",
  "tracejury inspect URL",
  "tracejury init",
  "tracejury init --from good.jsonl",
  "tracejury init --from URL --force",
  "tracejury validate specs/rag-agent.yaml",
  "tracejury test good.jsonl --spec specs/rag-agent.yaml",
  "tracejury test bad.jsonl --spec specs/rag-agent.yaml",
  "tracejury test bad.jsonl other.jsonl --like good.jsonl",
  "tracejury test other.jsonl --spec specs/rag-agent.yaml",
  "tracejury strength good.jsonl --spec specs/rag-agent.yaml",
  "tracejury coverage other.jsonl --spec specs/rag-agent.yaml",
  "tracejury propose bad.jsonl --spec specs/rag-agent.yaml",
  "tracejury promote bad.jsonl --spec specs/rag-agent.yaml",
  "tracejury save good.jsonl --spec specs/rag-agent.yaml --version v1",
  "tracejury diff --baseline v1 --compare v2 --spec specs/rag-agent.yaml",
];

const recordings = {
  "good.jsonl": "rag-weather-fixed.langgraph",
  "bad.jsonl": "rag-weather-broken.langgraph",
  "other.jsonl": "support-cancel.agents-sdk",
};

/** An agent that sends a recorded run. */
const agent = `import { readFileSync } from "node:fs";
const to = process.env.OTEL_EXPORTER_OTLP_ENDPOINT + "/v1/traces";
const headers = { "content-type": "application/json" };
for (const body of readFileSync("good.jsonl", "utf8").trim().split("\\n")) await fetch(to, { method: "POST", headers, body });
`;

const folder = temporaryFolder();
let live: Collector;
let address = "";
const outside = process.cwd();

beforeAll(async () => {
  for (const [file, recording] of Object.entries(recordings))
    copyFileSync(`test/fixtures/runs/${recording}.jsonl`, join(folder, file));
  writeFileSync(join(folder, "package.json"), "{}");
  writeFileSync(join(folder, "agent.mjs"), agent);
  live = await serve({ store: inMemory, timeouts: { rootQuietMs: 1, rootOpenMs: 1 } });
  address = `http://${live.listening.admin}`;
  await postRecording(live, recordings["good.jsonl"]);
  const listed = async (): Promise<boolean> =>
    ((await (await fetch(`${address}/api/v1/facets`)).json()) as { total: number }).total > 0;
  await until(listed, "the run is listed");
  process.chdir(folder);
});
afterAll(async () => {
  process.chdir(outside);
  await live.stop(0);
});

/** The words that a shell makes of a line, as a user pastes it: those of the one command in it, which is then run in this process. */
function pasted(line: string): readonly string[] {
  const plain = wordsOf(line, folder);
  if (plain !== null) return plain.slice(1);
  const script = `tracejury() { printf '%s\\0' "$@"; }\n${line}`;
  return execFileSync("bash", ["-c", script], { encoding: "utf8" }).split("\0").slice(0, -1);
}

/** Commands that a text tells its reader to run: those without a word in capitals, which the reader replaces. */
function commandsIn(text: string): readonly string[] {
  return [...text.matchAll(/(?<=^ *|→ |: |`|\()tracejury [a-z-]+ [^`\n]*?(?=`|\)?$| {3})/gm)]
    .map(([command]) => command)
    .filter((command) => !/(?:^| )[A-Z][A-Z_]+(?: |$)/.test(command) && !command.includes("…"));
}

test("every command that a first session prints runs as it was printed", async () => {
  const waiting = typed.map((command) => command.replace("URL", address));
  const done = new Set<string>();
  const wrong: string[] = [];
  for (let command = waiting.shift(); command !== undefined; command = waiting.shift()) {
    if (done.has(command)) continue;
    const isPrinted = !typed.some((one) => one.replace("URL", address) === command);
    done.add(command);
    const { code, stdout, stderr } = await runCliWith({ env: process.env }, ...pasted(command));
    const said = stdout + stderr;
    if (isPrinted && (code > 2 || /^error: /m.test(said))) wrong.push(`${command}\n${said}`);
    // The collector of the test has another port than the one that a first session has.
    waiting.push(...commandsIn(said).map((one) => one.replace("http://127.0.0.1:4319", address)));
  }
  expect(wrong).toEqual([]);
  expect(done.size).toBeGreaterThan(typed.length + 4);
});
