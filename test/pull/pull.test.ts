import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { isObject, type JsonValue } from "../../src/model/json.ts";
import { TemporaryFolder } from "../dump/dump-files.ts";
import { document, span } from "../support/otlp.ts";
import { cli, runCli, runCliWith } from "../support/run-cli.ts";
import {
  clickhouseStore,
  jaegerStore,
  langfuseStore,
  mlflowStore,
  phoenixStore,
  recordedTraces,
  type StoredTrace,
  tempoStore,
} from "./fake-stores.ts";
import { type Answering, reply, StoreServer } from "./store-server.ts";
import { withoutService } from "../support/without-service.ts";

const temporary = new TemporaryFolder();
afterAll(() => temporary.remove());
let folders = 0;
const newFolder = (): string => join(temporary.path, `dumps-${folders++}`);

const traces = recordedTraces();
/** A time with all recordings in it. */
const since = new Date(Math.min(...traces.map(({ startMs }) => startMs)) - 1000).toISOString();

/** What specs look at, without what stores do not keep. */
async function inspected(path: string): Promise<JsonValue[]> {
  const { stdout } = await runCli("inspect", path, "--format", "json");
  return stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line, withoutLosses) as JsonValue);
}

const losses =
  /^(?:start_unix_ms|end_unix_ms|duration_ms|time_to_first_token_ms|service|attributes|dialects)$/;
function withoutLosses(key: string, value: JsonValue): JsonValue | undefined {
  if (key === "missing") return withoutService(value);
  return losses.test(key) ? undefined : value;
}

async function original(wanted: readonly StoredTrace[] = traces): Promise<JsonValue[]> {
  const lines = wanted.map(({ document }) => JSON.stringify(document)).join("\n");
  return await inspected(temporary.write(`original-${folders++}.jsonl`, lines));
}

test("an address of Phoenix may name the service that Phoenix does not keep", async () => {
  await using store = await StoreServer.start(phoenixStore(traces));
  const ran = await cli`pull phoenix:${store.url}/shop?service=shop --since ${since} --out ${newFolder()}`;
  const { stdout } = await runCli("inspect", ran.stdout.trim(), "--format", "json");
  const runs = stdout.split("\n").filter(Boolean);
  expect(runs.map((line) => (JSON.parse(line) as { service: string }).service)).toEqual(
    runs.map(() => "shop"),
  );
  expect(runs).not.toEqual([]);
});

describe.each<[string, Answering, (url: string) => string]>([
  ["Phoenix", phoenixStore(traces), (url) => `phoenix:${url}/shop`],
  ["ClickHouse", clickhouseStore(traces), (url) => `clickhouse:${url}/otel.otel_traces`],
  ["Langfuse", langfuseStore(traces), (url) => `langfuse:${url}`],
  ["MLflow", mlflowStore(traces), (url) => `mlflow:${url}/shop`],
  ["MLflow, by the experiment's id", mlflowStore(traces), (url) => `mlflow:${url}/7`],
  ["Jaeger's OTLP", jaegerStore(traces, "v3"), (url) => `jaeger:${url}`],
  ["one service of Jaeger", jaegerStore(traces, "v3"), (url) => `jaeger:${url}/${traces[0]?.service}`],
  ["an older Jaeger", jaegerStore(traces, "v1"), (url) => `jaeger:${url}`],
  ["Tempo", tempoStore(traces, "v2"), (url) => `tempo:${url}`],
  ["an older Tempo", tempoStore(traces, "v1"), (url) => `tempo:${url}`],
])("from %s", (_, answering, addressAt) => {
  test("the runs are those of the telemetry that it was sent", async () => {
    await using store = await StoreServer.start(answering);
    const out = newFolder();

    const ran = await runCli("pull", addressAt(store.url), "--since", since, "--out", out);

    expect(ran.stderr).toMatch(/: \d+ spans of 3 traces from /);
    expect(ran.code).toBe(0);
    expect(await inspected(ran.stdout.trim())).toEqual(await original());
  });

  test("nothing is pulled of another time, and no more traces than a limit", async () => {
    await using store = await StoreServer.start(answering);
    const [address, out] = [addressAt(store.url), newFolder()];

    const none = await cli`pull ${address} --since 2020-01-01 --until 2020-01-02 --out ${out}`;
    expect(none).toMatchObject({ code: 0, stdout: "" });
    expect(none.stderr).toContain("no trace from 2020-01-01T00:00:00Z to 2020-01-02T00:00:00Z");

    const one = await cli`pull ${`${address}?since=${since}&limit=1`} --out ${newFolder()}`;
    expect(one.stderr).toContain("the limit of 1 traces is reached");
    expect(await inspected(one.stdout.trim())).toHaveLength(1);
  });
});

test("a pull that broke goes on where it stopped, and what a broken page wrote is gone", async () => {
  let isBroken = true;
  const answering = phoenixStore(traces, 1);
  await using store = await StoreServer.start((asked) =>
    isBroken && asked.query.get("cursor") === "1" && asked.path.endsWith("/traces")
      ? reply(400, "the database is gone")
      : answering(asked),
  );
  const out = newFolder();
  const command = ["pull", `phoenix:${store.url}/shop`, "--since", since, "--out", out];

  const broken = await runCli(...command);
  expect(broken.code).toBe(2);
  expect(broken.stderr).toContain("answered HTTP 400: the database is gone");
  const [name = ""] = readdirSync(out).filter((one) => one.endsWith(".jsonl"));
  writeFileSync(join(out, name), '{"half of a li', { flag: "a" });
  isBroken = false;
  const before = store.asked.length;
  const whole = await runCli(...command);

  expect(whole.code).toBe(0);
  expect(whole.stdout.trim()).toBe(join(out, name));
  expect(store.asked[before]?.query.get("cursor")).toBe("1");
  expect(await inspected(out)).toEqual(await original());
});

test("the next pull without --since begins ten minutes before the end of the last one", async () => {
  await using store = await StoreServer.start(phoenixStore(traces));
  const out = newFolder();
  await runCli("pull", `phoenix:${store.url}/shop`, "--since", since, "--out", out);
  const firstEnd = store.asked[0]?.query.get("end_time") ?? "";
  const before = store.asked.length;

  await runCli("pull", `phoenix:${store.url}/shop`, "--out", out);

  const start = store.asked[before]?.query.get("start_time") ?? "";
  expect(Date.parse(firstEnd) - Date.parse(start)).toBe(600_000);
});

test("files that a pull writes can be read by their owner alone", async () => {
  await using store = await StoreServer.start(phoenixStore(traces));

  const { stdout } = await cli`pull phoenix:${store.url}/shop --since ${since} --out ${newFolder()}`;

  expect(statSync(stdout.trim()).mode & 0o077).toBe(0);
});

test("more traces than one answer of Jaeger holds are read in shorter times", async () => {
  const [model] = traces;
  if (model === undefined) throw new Error("no trace");
  const many = Array.from({ length: 250 }, (_, at): StoredTrace => {
    const traceId = (at + 1).toString(16).padStart(32, "0");
    const startMs = model.startMs - at * 60_000;
    return {
      ...model,
      traceId,
      startMs,
      document: document([{ ...span("s", undefined, "a", 0, 1), traceId }]),
    };
  });
  await using store = await StoreServer.start(jaegerStore(many, "v3"));

  const ran = await runCli("pull", `jaeger:${store.url}`, "--since", "2026-01-01", "--out", newFolder());

  expect(ran.code).toBe(0);
  expect(new Set(readFileSync(ran.stdout.trim(), "utf8").match(/"traceId":"\w+"/g))).toHaveProperty(
    "size",
    250,
  );
});

describe("credentials", () => {
  const langfuse = { LANGFUSE_PUBLIC_KEY: "pk", LANGFUSE_SECRET_KEY: "sk-secret" };
  const clickhouse = { CLICKHOUSE_USER: "12", CLICKHOUSE_PASSWORD: "t-secret" };
  const tempo = { TEMPO_USERNAME: "12", TEMPO_PASSWORD: "t-secret" };
  test.each<[string, Readonly<Record<string, string>>, string, string]>([
    ["phoenix", { PHOENIX_API_KEY: "px-secret" }, "authorization", "Bearer px-secret"],
    ["phoenix", { PHOENIX_CLIENT_HEADERS: "api_key=px%3Dsecret" }, "api_key", "px=secret"],
    ["langfuse", langfuse, "authorization", "Basic cGs6c2stc2VjcmV0"],
    ["clickhouse", clickhouse, "authorization", "Basic MTI6dC1zZWNyZXQ="],
    ["mlflow", { MLFLOW_TRACKING_TOKEN: "ml-secret" }, "authorization", "Bearer ml-secret"],
    ["jaeger", { JAEGER_BEARER_TOKEN: "j-secret" }, "authorization", "Bearer j-secret"],
    ["tempo", tempo, "authorization", "Basic MTI6dC1zZWNyZXQ="],
    ["tempo", { TRACEJURY_PULL_HEADERS: "x-gate=g-secret,x-b=2" }, "x-gate", "g-secret"],
  ])("of %s come from the environment, and no message holds them", async (kind, env, name, value) => {
    await using store = await StoreServer.start(({ headers }) =>
      reply(400, `you sent ${JSON.stringify(headers)}`),
    );
    const out = newFolder();

    const ran = await runCliWith({ env }, "pull", `${kind}:${store.url}/shop`, "--out", out);

    expect(store.asked[0]?.headers[name]).toBe(value);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain("HTTP 400");
    expect(ran.stderr + JSON.stringify(readFiles(out))).not.toMatch(/secret|MTI6|cGs6/);
  });

  test("that are refused: the message names the variable", async () => {
    await using store = await StoreServer.start(() => reply(401, "who are you?"));

    const { code, stderr } = await runCli("pull", `phoenix:${store.url}/shop`, "--out", newFolder());

    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^error: phoenix:.*\/v1\/projects\/shop\/traces answered HTTP 401\n {2}fix: set PHOENIX_API_KEY/m,
    );
  });
});

function readFiles(folder: string): string[] {
  return readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
}

describe("an address that leads nowhere is explained", () => {
  test.each([
    ["mail:http://localhost/x", "not the address of a trace store"],
    ["phoenix:localhost:6006/x", "write it as in phoenix:http://localhost:6006/default"],
    ["phoenix:http://me:secret@localhost:6006/x", "set them as environment variables"],
    ["phoenix:http://localhost:6006/x?last=24h", "use only these options: since, until, limit"],
    ["phoenix:http://localhost:6006/x?since=yesterday", "write 30m, 24h, 7d or"],
    ["phoenix:http://localhost:6006/x?limit=0", "write a whole number"],
    ["phoenix:http://localhost:6006", "add its name: phoenix:http://localhost:6006/default"],
    [
      "clickhouse:http://localhost:8123/a'b",
      "write the table after the address, as in clickhouse:http://localhost:8123/default.otel_traces",
    ],
    ["mlflow:http://localhost:5000", "add its name or id: mlflow:http://localhost:5000/Default"],
    ["tempo:http://nothing.invalid", "check the host name"],
  ])("%s", async (address, explanation) => {
    const { code, stderr } = await runCli("pull", address, "--out", newFolder());

    expect(code).toBe(2);
    expect(stderr).toContain(explanation);
    expect(stderr).not.toMatch(/secret|internal error/);
  });

  test("nothing listens", async () => {
    const store = await StoreServer.start(() => ({}));
    const { url } = store;
    await store[Symbol.asyncDispose]();

    const { stderr } = await runCli("pull", `phoenix:${url}/shop`, "--out", newFolder());

    expect(stderr).toContain("no process listens at this address");
  });

  test.each([
    ["phoenix", "there is no project shop"],
    ["jaeger", "no Jaeger found"],
    ["tempo", "/shop/api/search does not exist (HTTP 404)"],
    ["langfuse", "/shop/api/public/traces does not exist (HTTP 404)"],
    ["mlflow", "there is no experiment shop"],
  ])("another server at the address of %s", async (kind, explanation) => {
    await using store = await StoreServer.start(() => undefined);

    const { stderr } = await runCli("pull", `${kind}:${store.url}/shop`, "--out", newFolder());

    expect(stderr).toContain(explanation);
  });

  test("a page of HTML", async () => {
    await using store = await StoreServer.start(() =>
      reply(200, "<html>log in</html>", { "content-type": "text/html; charset=utf-8" }),
    );

    const { stderr } = await runCli("pull", `phoenix:${store.url}/shop`, "--out", newFolder());

    expect(stderr).toContain("answered with text/html, not with JSON");
  });
});

test("spans that cannot be used are named, and the others are pulled", async () => {
  const answering = phoenixStore(traces, 3, 1000);
  await using store = await StoreServer.start((asked) => {
    const answer = answering(asked);
    if (!asked.path.endsWith("/spans") || !isObject(answer as JsonValue)) return answer;
    const { data } = answer as { data: Record<string, unknown>[] };
    return { data: [...data, { ...data[0], id: "broken", start_time: "late" }], next_cursor: null };
  });

  const ran = await runCli("pull", `phoenix:${store.url}/shop`, "--since", since, "--out", newFolder());

  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain("left out: broken: late is not a timestamp");
  expect(await inspected(ran.stdout.trim())).toEqual(await original());
});
