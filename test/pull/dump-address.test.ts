import { describe, expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";
import { phoenixStore, recordedTraces } from "./fake-stores.ts";
import { StoreServer } from "./store-server.ts";

const traces = recordedTraces();
const since = new Date(Math.min(...traces.map(({ startMs }) => startMs)) - 1000).toISOString();
const spec = ["--spec", "specs/rag-agent.yaml"];

/** Commands in which a store's address stands for a dump. */
const commands: readonly (readonly [string, ...string[]])[] = [
  ["test", ...spec, "--judge", "off", "--format", "json"],
  ["test", ...spec, "--judge", "off", "--format", "json", "--workers", "2"],
  ["inspect", "--format", "json"],
  ["report", ...spec, "--judge", "off", "--format", "json"],
  ["doctor", "--format", "json"],
  ["coverage", ...spec, "--format", "json"],
  ["strength", ...spec, "--format", "json"],
];

describe.each(commands)("%s %s %s", (command, ...options) => {
  test("takes the address of a store in the place of a dump", async () => {
    await using store = await StoreServer.start(phoenixStore(traces));

    const ran = await runCli(command, `phoenix:${store.url}/shop?since=${since}`, ...options);

    expect(ran.stderr).toMatch(/phoenix:\S+: \d+ spans of 3 traces from /);
    expect(ran.stderr).not.toContain("error:");
    expect(ran.stdout).toMatch(/^\{/);
  });
});

test("what a store did not give whole is invalid input", async () => {
  const answering = phoenixStore(traces, 3, 1000);
  await using store = await StoreServer.start((asked) => {
    const answer = answering(asked);
    if (!asked.path.endsWith("/spans")) return answer;
    const { data } = answer as { data: Record<string, unknown>[] };
    return { data: [...data, { ...data[0], id: "broken", start_time: "late" }], next_cursor: null };
  });

  const ran = await runCli("inspect", `phoenix:${store.url}/shop?since=${since}`);

  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain("broken: late is not a timestamp");
});
