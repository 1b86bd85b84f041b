import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { until } from "../support/eventually.ts";
import { findConfig } from "../../src/config/find/find-config.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { argv, runCliIn } from "../support/run-cli.ts";

const command = resolve("bin/tracejury.js");
const install = resolve("test/fixtures/runs/rag-install.langgraph.jsonl");
const broken = resolve("test/fixtures/runs/rag-weather-broken.langgraph.jsonl");

let folder = "";
beforeEach(() => {
  folder = temporaryFolder();
  mkdirSync(join(folder, ".git"));
  mkdirSync(join(folder, "specs"));
  mkdirSync(join(folder, "agents", "rag"), { recursive: true });
  copyFileSync("specs/rag-agent.yaml", join(folder, "specs", "rag-agent.yaml"));
});

describe("the configuration of a project", () => {
  it("is in the working folder, or the nearest one above up to the repository", () => {
    const inner = join(folder, "agents", "rag");
    expect(findConfig(inner)).toBeUndefined();
    writeFileSync(join(folder, "tracejury.yaml"), "");
    expect(findConfig(inner)).toBe(join("..", "..", "tracejury.yaml"));
    writeFileSync(join(folder, "agents", "tracejury.yaml"), "");
    expect(findConfig(inner)).toBe(join("..", "tracejury.yaml"));
    expect(findConfig(folder)).toBe("tracejury.yaml");
  });

  it("is not looked for above the repository, nor above a folder outside of one", () => {
    const repository = join(folder, "agents");
    mkdirSync(join(repository, ".git"));
    writeFileSync(join(folder, "tracejury.yaml"), "");
    expect(findConfig(join(repository, "rag"))).toBeUndefined();
    rmSync(join(repository, ".git"), { recursive: true });
    rmSync(join(folder, ".git"), { recursive: true });
    expect(findConfig(join(repository, "rag"))).toBeUndefined();
  });

  it("is ignored with --no-config", async () => {
    const words = argv`test ${install} --spec specs/rag-agent.yaml --judge off --on-missing warn`;
    writeFileSync(join(folder, "tracejury.yaml"), "no_such_key: 1\n");
    expect((await runCliIn(folder, ...words)).code).toBe(2);
    expect((await runCliIn(folder, ...words, "--no-config")).code).toBe(0);
  });

  it("names the specs that test judges by, relative to where it is", async () => {
    writeFileSync(join(folder, "tracejury.yaml"), "specs: [specs/rag-agent.yaml]\n");
    const words = argv`test ${install} --judge off --on-missing warn`;
    const ran = await runCliIn(join(folder, "agents", "rag"), ...words);
    expect(ran).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining("PASS") });
  });

  it("and its specs are validated if validate names no file", async () => {
    const inner = join(folder, "agents", "rag");
    const none = await runCliIn(inner, "validate");
    expect(none).toMatchObject({ code: 2, stdout: "" });
    expect(none.stderr).toContain("no tracejury.yaml was found");

    writeFileSync(join(folder, "tracejury.yaml"), "# specs: []\n");
    const both = "✓ ../../tracejury.yaml is a valid config\n✓ ../../specs/rag-agent.yaml is a valid spec\n";
    expect(await runCliIn(inner, "validate")).toMatchObject({ code: 0, stdout: both });

    writeFileSync(join(folder, "specs", "bad.yaml"), "agent: a\n");
    expect((await runCliIn(inner, "validate")).code).toBe(1);
    rmSync(join(folder, "specs"), { recursive: true });
    expect((await runCliIn(inner, "validate")).code).toBe(0);
    writeFileSync(join(folder, "tracejury.yaml"), "specs: [specs/*.yaml]\n");
    expect((await runCliIn(inner, "validate")).code).toBe(2);
  });

  it.each([
    ["a folder", "specs", 0],
    ["a pattern", "specs/*.yaml", 0],
    ["a folder without specs", "agents", 2],
  ])("is not needed to validate %s", async (_, named, code) => {
    expect((await runCliIn(folder, "validate", named)).code).toBe(code);
  });

  it("does not change where paths of --set begin", async () => {
    const inner = join(folder, "agents", "rag");
    writeFileSync(join(folder, "tracejury.yaml"), "specs: [none.yaml]\n");
    const words = ["test", install, "--judge", "off", "--on-missing", "warn"];
    expect((await runCliIn(inner, ...words)).code).toBe(2);
    const ran = await runCliIn(inner, ...words, "--set", "specs=[../../specs/rag-agent.yaml]");
    expect(ran).toMatchObject({ code: 0, stderr: "" });
  });

  it("is not needed where specs/ holds the specs, and a missing spec is an error", async () => {
    expect((await runCliIn(folder, "test", install, "--judge", "off", "--on-missing", "warn")).code).toBe(0);
    rmSync(join(folder, "specs"), { recursive: true });
    const ran = await runCliIn(folder, "test", install);
    expect(ran.stderr).toContain("no spec was found");
    expect(ran.code).toBe(2);
  });
});

describe("--last-failed", () => {
  const flags = ["--judge", "off", "--on-missing", "warn"];

  it("judges the queries again that failed in the last test, and no others", async () => {
    writeFileSync(join(folder, "tracejury.yaml"), "specs: [specs]\n");
    expect((await runCliIn(folder, "test", install, broken, ...flags)).code).toBe(1);
    const again = await runCliIn(folder, "test", install, broken, ...flags, "--last-failed");
    expect(again.stdout).toContain("1 verdict: 1 failed");
    expect(again.stdout).not.toContain("rag-agent · How do I install AgentCI");
  });

  it("says what to do where no test has failed", async () => {
    writeFileSync(join(folder, "tracejury.yaml"), "specs: [specs]\n");
    await runCliIn(folder, "test", install, broken, ...flags);
    expect((await runCliIn(folder, "test", install, ...flags)).code).toBe(0);
    const ran = await runCliIn(folder, "test", install, ...flags, "--last-failed");
    expect(ran.stderr).toContain("no failed query is saved in");
    expect(ran.code).toBe(2);
  });
});

describe("--watch", () => {
  const started: ChildProcess[] = [];
  afterEach(() => started.splice(0).forEach((child) => child.kill("SIGKILL")));

  it("judges again when a spec or a dump changes, and survives a spec that is invalid for a while", async () => {
    const dump = join(folder, "traces.jsonl");
    copyFileSync(install, dump);
    const spec = join(folder, "specs", "rag-agent.yaml");
    const text = readFileSync(spec, "utf8");
    const words = ["test", dump, "--spec", spec, "--judge", "off", "--on-missing", "warn", "--watch"];
    const child = spawn(process.execPath, [command, ...words], { cwd: folder });
    started.push(child);
    let output = "";
    let errors = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
    /** As an editor does: a file is never there in part. */
    const replace = (file: string, content: string | Buffer): void => {
      writeFileSync(`${file}.new`, content);
      renameSync(`${file}.new`, file);
    };
    const judged = (outcome: string): number => output.split(`1 verdict: 1 ${outcome}`).length - 1;
    await until(() => errors.includes("watching") && judged("passed") === 1);
    replace(spec, "queries: [");
    await until(() => errors.includes("invalid"));
    replace(spec, text);
    await until(() => judged("passed") > 1);
    replace(dump, readFileSync(broken));
    await until(() => judged("failed") > 0);
    child.kill("SIGINT");
    const [code] = (await once(child, "exit")) as [number];
    expect(code).toBe(1);
  });
});

describe("a configuration above the working folder", () => {
  const me = 1_000;
  const stranger = 1_001;
  const root = 0;
  const named = (owners: Readonly<Record<string, readonly number[]>>) => {
    const folder = temporaryFolder();
    const inner = join(folder, "inner");
    mkdirSync(join(folder, ".git"));
    mkdirSync(inner);
    writeFileSync(join(folder, "tracejury.yaml"), "");
    const messages: string[] = [];
    const of = (path: string): readonly number[] => owners[path === folder ? "folder" : "file"] ?? [me];
    const search = (cwd: string) => findConfig(cwd, (message) => messages.push(message), { own: me, of });
    return { folder, inner, messages, search };
  };

  it.each<[string, Readonly<Record<string, readonly number[]>>, boolean]>([
    ["it and its folder are the user's", {}, true],
    ["it and its folder are root's", { file: [root], folder: [root] }, true],
    ["it is another's", { file: [stranger] }, false],
    ["its folder is another's", { folder: [stranger] }, false],
    ["it is a link of the user's to a file of another's", { file: [me, stranger] }, false],
    ["it is a link of another's to a file of the user's", { file: [stranger, me] }, false],
  ])("a project configuration is found when %s: %j %s", (_, owners, isFound) => {
    const { folder, inner, messages, search } = named(owners);

    expect(search(inner)).toBe(isFound ? join("..", "tracejury.yaml") : undefined);
    expect(messages).toHaveLength(isFound ? 0 : 1);
    for (const message of messages)
      expect(message).toMatch(/belongs to another user. To use this configuration, name it with --config/);
    // In the working folder it is the user who is there.
    expect(search(folder)).toBe("tracejury.yaml");
    rmSync(folder, { recursive: true });
  });
});
