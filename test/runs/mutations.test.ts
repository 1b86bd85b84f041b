import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { recordingsBelow, requestsOf } from "../../bench/data/real/recordings.ts";
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
  const recordings = recordingsBelow([join(root, folder)]).map((recording) => {
    const requests = requestsOf(recording);
    return { name: recording.name, requests, said: saidBy(requests) };
  });
  it.each(names)("are read alike with %s", (name) => {
    const mutation = mutations.find((one) => one.name === name);
    const mutated = recordings.map(({ requests }) => saidBy(mutation?.requests(requests, {}) ?? []));
    expect(recordings.length).toBeGreaterThan(0);
    expect(mutated).toEqual(recordings.map(({ said }) => said));
  });
});
