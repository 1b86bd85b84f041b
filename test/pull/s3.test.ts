import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { TemporaryFolder } from "../dump/dump-files.ts";
import { argv, runCliWith } from "../support/run-cli.ts";
import { recordedTraces } from "./fake-stores.ts";
import { s3Store, type StoredObject } from "./s3-store.ts";
import { StoreServer } from "./store-server.ts";

const temporary = new TemporaryFolder();
afterAll(() => temporary.remove());

const writtenMs = Date.now() - 3_600_000;
const objects: readonly StoredObject[] = [
  ...recordedTraces().map(({ document }, at) => ({
    key: `prod/year=2026/traces_${at}.json`,
    content: JSON.stringify(document),
    writtenMs,
  })),
  { key: "prod/old.json", content: "{}", writtenMs: writtenMs - 10 * 86_400_000 },
  { key: "prod/..\\outside.json", content: '{"resourceSpans":[]}', writtenMs },
  { key: "test/other.json", content: "{}", writtenMs },
];

function environment(endpoint: string): NodeJS.ProcessEnv {
  return {
    AWS_ENDPOINT_URL: endpoint,
    AWS_ACCESS_KEY_ID: "AKIDEXAMPLE",
    AWS_SECRET_ACCESS_KEY: "top-secret",
    AWS_SESSION_TOKEN: "session-secret",
  };
}

test("objects below a prefix that were written in the time are copied, page after page, and stay in the folder", async () => {
  await using store = await StoreServer.start(s3Store(objects));
  const out = join(temporary.path, "dumps");

  const ran = await runCliWith({ env: environment(store.url) }, "pull", "s3://traces/prod", "--out", out);

  expect(ran.stderr).toMatch(/^s3:\/\/traces\/prod: 4 files from /);
  expect(ran.code).toBe(0);
  const folder = ran.stdout.trim();
  expect(readFileSync(join(folder, "year=2026/traces_0.json"), "utf8")).toBe(objects[0]?.content);
  expect(readdirSync(folder).filter((name) => name.startsWith("__outside.json~"))).toHaveLength(1);
  expect(existsSync(join(folder, "old.json"))).toBe(false);
  expect(store.asked.every(({ headers }) => headers["x-amz-security-token"] === "session-secret")).toBe(true);
  const inspected = await runCliWith({}, "inspect", folder, "--format", "json");
  expect(inspected.stdout.trim().split("\n")).toHaveLength(3);
});

test("a bucket may stand in the place of a dump", async () => {
  await using store = await StoreServer.start(s3Store(objects));

  const ran = await runCliWith(
    { env: environment(store.url) },
    ...argv`inspect s3://traces/prod?since=2h --format json`,
  );

  expect(ran.stdout.trim().split("\n")).toHaveLength(3);
});

test("credentials that are refused, a bucket that is not there, a limit: explained, without a secret", async () => {
  await using store = await StoreServer.start(s3Store(objects));
  const env = environment(store.url);
  const pull = async (address: string, given: NodeJS.ProcessEnv) =>
    (await runCliWith({ env: given }, "pull", address, "--out", join(temporary.path, "none"))).stderr;

  const refused = await pull("s3://traces/prod", { ...env, AWS_ACCESS_KEY_ID: "AKIDOTHER" });
  expect(refused).toMatch(/the bucket cannot be read \(HTTP 403.*\n {2}fix: set AWS_ACCESS_KEY_ID/);
  const absent = await pull("s3://nothing/prod", env);
  expect(absent).toContain("there is no such bucket");
  expect(await pull("s3://traces/prod?limit=3", env)).toContain("choose a shorter time");
  expect(await pull("s3:traces", env)).toContain("write it as in s3://my-bucket/traces");
  expect(refused + absent).not.toContain("secret");
});
