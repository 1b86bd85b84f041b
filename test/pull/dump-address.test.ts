import { describe, expect, test } from "vitest";
import { runCli, runCliWith } from "../support/run-cli.ts";
import { phoenixStore, recordedTraces } from "./fake-stores.ts";
import { reply, StoreServer } from "./store-server.ts";

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

test("credentials come from the environment of the command", async () => {
  await using store = await StoreServer.start(() => reply(401, ""));
  const env = { PHOENIX_API_KEY: "px-secret" };

  const ran = await runCliWith({ env }, "inspect", `phoenix:${store.url}/shop`);

  expect(store.asked[0]?.headers.authorization).toBe("Bearer px-secret");
  expect(ran.code).toBe(2);
  expect(ran.stderr).toMatch(/^error: phoenix:.*answered HTTP 401\n {2}fix: set PHOENIX_API_KEY/);
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
