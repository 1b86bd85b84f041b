import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { requestsOf } from "../../bench/data/real/recordings.ts";
import { mutations } from "../long/mutations/mutations.ts";
import { replayedRuns } from "../long/runs/assemble.ts";
import { asJson } from "../long/runs/records.ts";

/** What another exporter or machine would have sent of a recorded run is read as the same run. */

const root = "test/fixtures/recordings";
const folders = [
  "ai7-otel",
  "crewai-openlit",
  "langchain-openinference",
  "openai-agents-logfire",
  "strands-openinference",
];
const names = [
  "attributes reversed",
  "clock of milliseconds",
  "other ids",
  "attributes of the app",
  "requests below",
];

/** What the run says, without ids and times. */
function saidBy(requests: Parameters<(typeof mutations)[number]["requests"]>[0]): unknown[] {
  return replayedRuns(requests.map(asJson)).map(
    ({ query, answer, agent, status, models, usage, llmCalls, tools, handoffs }) => {
      const used = tools.map(({ name, arguments: args, result, error }) => ({ name, args, result, error }));
      const handed = handoffs.map(({ from, to }) => ({ from, to }));
      return { query, answer, agent, status, models, usage, llmCalls, used, handed };
    },
  );
}

describe.each(folders)("recordings of %s", (folder) => {
  const scenarios = readdirSync(join(root, folder), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  it.each(names)("are read alike with %s", (name) => {
    const mutation = mutations.find((one) => one.name === name);
    for (const scenario of scenarios) {
      const folderOf = join(root, folder, scenario.name);
      const files = readdirSync(folderOf)
        .filter((file) => file.endsWith(".jsonl"))
        .map((file) => join(folderOf, file));
      const requests = requestsOf({ name: folderOf, files });
      const mutated = saidBy(mutation?.requests(requests, {}) ?? []);
      expect({ scenario: scenario.name, runs: mutated }).toEqual({
        scenario: scenario.name,
        runs: saidBy(requests),
      });
    }
  });
});
