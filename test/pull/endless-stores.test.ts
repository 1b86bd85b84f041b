import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { PullLimits } from "../../src/pull/pull-limits.ts";
import { TemporaryFolder } from "../dump/dump-files.ts";
import { runCliWith } from "../support/run-cli.ts";
import { phoenixStore, recordedTraces } from "./fake-stores.ts";
import { s3Store } from "./s3-store.ts";
import { type Answering, type Asked, StoreServer } from "./store-server.ts";

const temporary = new TemporaryFolder();
afterAll(() => temporary.remove());

const traces = recordedTraces();
const writtenMs = Date.now() - 3_600_000;
const time = ["--since", "3650d"];
let folders = 0;
const newFolder = (): string => join(temporary.path, `out-${folders++}`);

/** Answers of Phoenix with another cursor. */
const phoenixWith = (cursorOf: (asked: Asked, n: number) => string | null, path = "/traces"): Answering =>
  (() => {
    let n = 0;
    const honest = phoenixStore(traces, 100, 1_000);
    return (asked: Asked) => {
      const without = new URLSearchParams(asked.query);
      without.delete("cursor");
      const answer = honest({ ...asked, query: without }) as { data: unknown; next_cursor: unknown };
      return asked.path.endsWith(path) ? { ...answer, next_cursor: cursorOf(asked, n++) } : answer;
    };
  })();

describe("a store that would not end", () => {
  test.each<[string, Answering, RegExp]>([
    ["names the same page again", phoenixWith(() => "again"), /returned the same position of its .* twice/],
    [
      "names pages in a circle",
      phoenixWith((_, n) => String(n % 2)),
      /returned the same position of its .* twice/,
    ],
    [
      "gives the same traces under new cursors",
      phoenixWith((_, n) => String(n)),
      /3 pages in a row without a new trace/,
    ],
    [
      "names the same page of spans again",
      phoenixWith(() => "again", "/spans"),
      /the same position of its spans twice/,
    ],
  ])("%s: the pull ends, and keeps what it read", async (_, answering, why) => {
    await using store = await StoreServer.start(answering);
    const out = newFolder();

    const ran = await runCliWith({}, "pull", `phoenix:${store.url}/shop`, ...time, "--out", out);

    expect(ran.code).toBe(2);
    expect(ran.stderr).toMatch(why);
    expect(store.asked.length).toBeLessThan(20);
    const state = JSON.parse(readFileSync(join(out, ".tracejury-pull.json"), "utf8")) as {
      sources: Record<string, { traces: number; is_done: boolean }>;
    };
    const isInPage = why.source.includes("spans");
    expect(Object.values(state.sources)).toMatchObject([
      { traces: isInPage ? 0 : traces.length, is_done: false },
    ]);
  });

  test("answers with ever more bytes for a page, or a run", () => {
    const bounds = { pageBytes: 100, runBytes: 1_000, runPages: 50, stalePages: 3 };
    const limits = new PullLimits("store", "phoenix", bounds);
    limits.answered(100);
    expect(() => limits.answered(1)).toThrow(/for one page/);
    const run = new PullLimits("store", "phoenix", bounds);
    const page = (n: number): void => {
      run.answered(90);
      run.pageEnded(String(n), true);
    };
    for (let n = 0; n < 11; n++) page(n);
    expect(() => page(11)).toThrow(/which is the maximum of one pull/);
    const files = new PullLimits("bucket", "s3", bounds);
    files.copied(1_001);
    expect(() => files.pageEnded("next", false)).toThrow(/which is the maximum of one pull/);
  });
});

describe("keys of a bucket", () => {
  const env = (endpoint: string): NodeJS.ProcessEnv => ({
    AWS_ENDPOINT_URL: endpoint,
    AWS_ACCESS_KEY_ID: "AKIDEXAMPLE",
    AWS_SECRET_ACCESS_KEY: "top-secret",
  });
  const pulled = async (keys: readonly string[], out = newFolder()) => {
    const objects = keys.map((key) => ({ key, content: `content of ${key}`, writtenMs }));
    await using store = await StoreServer.start(s3Store(objects, 100));
    const ran = await runCliWith({ env: env(store.url) }, "pull", "s3://traces/p", "--out", out);
    return { ...ran, out, folder: ran.stdout.trim() };
  };

  test.each([
    ["a name that is a folder to others, first", ["p/a", "p/a/b.jsonl"]],
    ["the same, last", ["p/a/b.jsonl", "p/a"]],
    ["names that differ in what a file's name cannot have", ["p/a:b", "p/a?b", "p/a_b", "p/a|b"]],
    ["long names that differ at their end", ["p/x".padEnd(600, "y"), `${"p/x".padEnd(600, "y")}z`]],
    ["names of dots", ["p/.../a", "p/.a", "p/a."]],
    ["empty parts", ["p/a//b", "p/a/b", "p//a/b"]],
    ["letters outside of ASCII", ["p/ä", `p/${"ä".repeat(150)}`, `p/${"ä".repeat(151)}`]],
  ])("%s: each object lands in a file of its own", async (_, keys) => {
    const { folder, code, stderr } = await pulled(keys);

    expect(stderr).toContain(`${keys.length} files`);
    expect(code).toBe(0);
    const landed = filesBelow(folder).map((file) => readFileSync(file, "utf8"));
    expect(landed.sort()).toEqual(keys.map((key) => `content of ${key}`).sort());
  });

  test("a key that no URL can name is left out, and said: another object would be read in its place", async () => {
    const { code, stderr, folder } = await pulled(["p/./a", "p/../a", "p/b"]);

    expect(code).toBe(2);
    expect(stderr.match(/which a URL cannot contain/g)).toHaveLength(2);
    expect(filesBelow(folder)).toHaveLength(1);
  });

  test("an object longer than the bucket lists is not read on", async () => {
    const honest = s3Store([{ key: "p/a", content: "1234", writtenMs }]);
    await using store = await StoreServer.start((asked) => {
      const answer = honest(asked) as { body: string };
      if (asked.path.endsWith("/p/a")) answer.body = "12345";
      return answer;
    });
    const ran = await runCliWith({ env: env(store.url) }, "pull", "s3://traces/p", "--out", newFolder());

    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain("longer than the 4 bytes");
  });

  test("a link in the folder leads no object out of it", async () => {
    const outside = newFolder();
    mkdirSync(outside);
    writeFileSync(join(outside, "file"), "precious");
    const out = newFolder();
    mkdirSync(join(out, "s3-traces-p"), { recursive: true });
    symlinkSync(outside, join(out, "s3-traces-p", "folder"));
    symlinkSync(join(outside, "file"), join(out, "s3-traces-p", "link"));
    const { code, stderr } = await pulled(["p/folder/file", "p/folder/new", "p/link"], out);
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("symbolic link") as string,
    });
    expect(readFileSync(join(outside, "file"), "utf8")).toBe("precious");
    expect(existsSync(join(outside, "new"))).toBe(false);
  });
});

describe("the state file of a folder", () => {
  const stateOf = (file: string, bytes = 0) => ({
    asked: JSON.stringify({ since: "3650d" }),
    file,
    since_ms: 0,
    until_ms: Date.now(),
    bytes,
    cursor: null,
    spans: 0,
    traces: 0,
    files: 0,
    is_done: false,
  });

  test.each([
    ["a file above the folder", (victim: string) => stateOf(`../${victim}`)],
    ["an absolute path", (victim: string) => stateOf(join(temporary.path, victim))],
    ["a negative length", () => stateOf("phoenix.jsonl", -1)],
  ])("that names %s changes nothing there", async (_, state) => {
    await using store = await StoreServer.start(phoenixStore(traces));
    const victim = `victim-${folders}.jsonl`;
    writeFileSync(join(temporary.path, victim), "precious");
    const out = newFolder();
    mkdirSync(out);
    const source = `phoenix:${store.url}/shop`;
    const saved = { version: 1, sources: { [source]: state(victim) } };
    writeFileSync(join(out, ".tracejury-pull.json"), JSON.stringify(saved));

    const ran = await runCliWith({}, "pull", source, ...time, "--out", out);

    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain("is damaged");
    expect(readFileSync(join(temporary.path, victim), "utf8")).toBe("precious");
  });

  test("beside a link with the name of the dump: what it leads to stays", async () => {
    await using store = await StoreServer.start(phoenixStore(traces));
    const victim = join(temporary.path, "linked.jsonl");
    writeFileSync(victim, "precious");
    const out = newFolder();
    mkdirSync(out);
    symlinkSync(victim, join(out, "phoenix.jsonl"));
    const source = `phoenix:${store.url}/shop`;
    writeFileSync(
      join(out, ".tracejury-pull.json"),
      JSON.stringify({ version: 1, sources: { [source]: stateOf("phoenix.jsonl") } }),
    );

    const ran = await runCliWith({}, "pull", source, ...time, "--out", out);

    expect(ran.code).toBe(2);
    expect(ran.stderr).toMatch(/symbolic link/);
    expect(readFileSync(victim, "utf8")).toBe("precious");
  });
});

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
  );
}
