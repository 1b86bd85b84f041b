import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { TemporaryFolder } from "../dump/dump-files.ts";
import { runCli, runCliWith } from "../support/run-cli.ts";
import { phoenixStore, recordedTraces } from "./fake-stores.ts";
import { reply, StoreServer } from "./store-server.ts";

const temporary = new TemporaryFolder();
afterAll(() => temporary.remove());
let folders = 0;
const newFolder = (): string => join(temporary.path, `dumps-${folders++}`);
const traces = recordedTraces();
const since = new Date(Math.min(...traces.map(({ startMs }) => startMs)) - 1000).toISOString();

/** Ids of the traces in the files of a folder. */
function pulledTraces(folder: string): string[] {
  const texts = readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => readFileSync(join(folder, name), "utf8"));
  return [...new Set(texts.join("").match(/(?<="traceId":")[0-9a-f]{32}/g))].sort();
}

test("sources of one command have different files, also if only their options differ", async () => {
  await using store = await StoreServer.start(phoenixStore(traces));
  const out = newFolder();
  const address = `phoenix:${store.url}/shop`;

  const ran = await runCli(
    "pull",
    `${address}?service=a`,
    `${address}?service=b`,
    address,
    address,
    "--since",
    since,
    "--out",
    out,
  );

  expect(ran.code).toBe(0);
  const files = ran.stdout.trim().split("\n");
  expect(new Set(files).size).toBe(4);
  for (const file of files) expect(readFileSync(file, "utf8")).not.toBe("");
});

describe("an answer with status 200 that is no list of traces is an error", () => {
  const address = (kind: string, path: string) => (url: string) => `${kind}:${url}${path}`;
  test.each<[string, (url: string) => string, unknown, RegExp]>([
    [
      "ClickHouse, after a part",
      address("clickhouse", "/otel"),
      { data: [], exception: "Code: 241" },
      /Code: 241/,
    ],
    ["Phoenix", address("phoenix", "/shop"), { detail: "moved" }, /without the list "data".*moved/],
    ["MLflow", address("mlflow", "/7"), { error_code: "INTERNAL_ERROR" }, /INTERNAL_ERROR/],
    ["Tempo", address("tempo", ""), { error: "too many queries" }, /too many queries/],
    ["Jaeger", address("jaeger", ""), { data: null, errors: [{ msg: "disk full" }] }, /disk full/],
  ])("%s", async (_, addressAt, answer, message) => {
    await using store = await StoreServer.start(({ path }) =>
      path === "/api/services" ? { data: ["shop"] } : path.startsWith("/api/v3") ? undefined : answer,
    );
    const served = await runCli("pull", addressAt(store.url), "--out", newFolder());

    expect(served.code).toBe(2);
    expect(served.stderr).toMatch(message);
  });
});

test.each([{ errors: {} }, { errors: [] }, { error_code: 0 }, { error: "" }, { error: false }])(
  "an answer with a list and %j has no error",
  async (none) => {
    await using store = await StoreServer.start(() => ({ data: [], ...none }));
    const served = await runCli("pull", `phoenix:${store.url}/shop`, "--out", newFolder());

    expect(served.stderr).not.toContain("error");
  },
);

test("an object that is stored with content-encoding gzip is copied as it is stored", async () => {
  const content = gzipSync(traces.map(({ document }) => `${JSON.stringify(document)}\n`).join(""));
  const object = `<Contents><Key>t/a.json.gz</Key><LastModified>${new Date(Date.now() - 60_000).toISOString()}</LastModified><ETag>"e"</ETag><Size>${content.length}</Size></Contents>`;
  await using store = await StoreServer.start(({ query }) =>
    query.has("list-type")
      ? reply(200, `<ListBucketResult><IsTruncated>false</IsTruncated>${object}</ListBucketResult>`)
      : reply(200, content, { "content-encoding": "gzip" }),
  );
  const env = { AWS_ENDPOINT_URL: store.url };

  const ran = await runCliWith({ env }, "pull", "s3://traces/t", "--out", newFolder());

  expect(ran.code).toBe(0);
  expect(readFileSync(join(ran.stdout.trim(), "a.json.gz"))).toEqual(content);
  const inspected = await runCli("inspect", ran.stdout.trim(), "--format", "json");
  expect(inspected.stdout.trim().split("\n")).toHaveLength(3);
});

test.each(["phoenix:http://127.0.0.1:9/100%", "s3://traces/100%"])(
  "%s: a lone percent sign is text",
  async (address) => {
    const env = { AWS_ENDPOINT_URL: "http://127.0.0.1:9" };
    const ran = await runCliWith({ env }, "pull", address, "--out", newFolder());

    expect(ran.stderr).not.toContain("internal error");
    expect(ran.code).toBe(2);
  },
);

describe("after an interrupted pull", () => {
  let isBroken = true;
  const answering = phoenixStore(traces, 1, 1000);
  const start = async () => {
    isBroken = true;
    return await StoreServer.start((asked) => {
      if (isBroken && asked.query.get("cursor") === "1") return reply(400, "the database is gone");
      const answer = answering(asked);
      if (!asked.path.endsWith("/spans") || !isBroken) return answer;
      const { data } = answer as { data: Record<string, unknown>[] };
      return { data: [...data, { ...data[0], id: "broken", start_time: "late" }], next_cursor: null };
    });
  };

  test("the pull that continues it reports spans that were left out before", async () => {
    await using store = await start();
    const command = ["pull", `phoenix:${store.url}/shop`, "--since", since, "--out", newFolder()];
    await runCli(...command);
    isBroken = false;

    const whole = await runCli(...command);

    expect(whole.stderr).toContain("left out: broken: late is not a timestamp");
    expect(whole.code).toBe(2);
  });

  test("a pull with other options and without --since reads the interrupted period again", async () => {
    await using store = await start();
    const out = newFolder();
    const command = ["pull", `phoenix:${store.url}/shop`, "--out", out];
    await runCli(...command, "--since", since);
    isBroken = false;

    const whole = await runCli(...command, "--limit", "100");

    expect(whole.code).toBe(0);
    expect(pulledTraces(out)).toEqual(traces.map(({ traceId }) => traceId).sort());
  });
});
