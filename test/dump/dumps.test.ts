import { mkdirSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import zlib from "node:zlib";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { DumpError } from "../../src/receive/dump/files/paths.ts";
import {
  framed,
  logs,
  metrics,
  protobuf,
  readAll,
  stored,
  summary,
  TemporaryFolder,
  traces,
} from "./dump-files.ts";

const folder = new TemporaryFolder();
afterAll(() => folder.remove());

const json = (...requests: object[]): string =>
  requests.map((request) => `${JSON.stringify(request)}\n`).join("");
const pretty = (request: object): string => JSON.stringify(request, null, 2);
const nothing = { logs: 0, points: 0, invalid: [], skipped: [] };
const mixed = [traces(1, 2), logs(1), metrics(), traces(3)];
const found = { traces: [1, 2, 3], logs: 1, points: 1, invalid: [], skipped: [] };
const records = mixed.map(protobuf);

/** A document with span 5, by `zstd -19`. */
const REAL_ZSTD =
  "KLUv/QRoBQIA9AJ7InJlc291cmNlU3BhbnMiOlt7InNjb3B0cmFjZUlkIjoiMDUiLDUifV19XX1dfQUAT1GglTBe4S1aQLg5BqEDfDI=";

describe("a file is read whatever its name, when it holds", () => {
  test.each([
    ["JSON lines of several signals", json(...mixed)],
    ["JSON lines with Windows line ends and blank lines", json(...mixed).replaceAll("\n", "\r\n\r\n")],
    ["JSON lines with a byte order mark", `\ufeff${json(...mixed)}`],
    ["JSON lines without a line end", json(...mixed).trimEnd()],
    ["an array of documents", JSON.stringify(mixed)],
    [
      "an array with a document a line",
      `[\n${mixed.map((request) => JSON.stringify(request)).join(",\n")}\n]\n`,
    ],
    ["a pretty array", JSON.stringify(mixed, null, 2)],
    ["pretty documents one after the other", mixed.map(pretty).join("\n")],
    [
      "documents indented by nothing",
      mixed.map((request) => pretty(request).replace(/^ +/gm, "")).join("\n"),
    ],
    ["documents on one line", mixed.map((request) => JSON.stringify(request)).join(" ")],
    ["one document of several signals", pretty(Object.assign({}, ...mixed.slice(1), traces(1, 2, 3)))],
    ["records behind their lengths", Buffer.concat(records.map(framed))],
    ["records compressed each by itself", Buffer.concat(records.map((record) => framed(stored(record))))],
    [
      "JSON records compressed each by itself",
      Buffer.concat(mixed.map((request) => framed(stored(Buffer.from(JSON.stringify(request)))))),
    ],
    ["gzip of lines", zlib.gzipSync(json(...mixed))],
    ["gzip in several members", Buffer.concat(mixed.map((request) => zlib.gzipSync(json(request))))],
    ["gzip of records", zlib.gzipSync(Buffer.concat(records.map(framed)))],
    ["zstd of lines", stored(Buffer.from(json(...mixed)))],
    ["zstd in several frames", Buffer.concat(mixed.map((request) => stored(Buffer.from(json(request)))))],
  ])("%s", async (what, content) => {
    const path = folder.write(`${what}.dump`, content);
    expect(summary(await readAll([path]))).toEqual(found);
  });

  test.each([
    ["spans", traces(7, 8), { traces: [7, 8] }],
    ["log records", logs(1), { traces: [], logs: 1 }],
    ["metrics", metrics(), { traces: [], points: 1 }],
  ])("one protobuf request: %s, by content", async (what, request, expected) => {
    const path = folder.write(`raw ${what}`, protobuf(request));
    expect(summary(await readAll([path]))).toEqual({ ...nothing, ...expected });
    const packed = folder.write(`raw ${what} gz`, zlib.gzipSync(protobuf(request)));
    expect(summary(await readAll([packed]))).toEqual({ ...nothing, ...expected });
  });

  test("a protobuf request that begins like a text", async () => {
    // A container of 123 bytes makes the first bytes a line feed and an opening brace.
    const span = { ...spanOf(9), name: "x".repeat(123 - 52) };
    const body = protobuf({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
    expect([...body.subarray(0, 2)]).toEqual([10, 123]);
    expect(summary(await readAll([folder.write("brace", body)])).traces).toEqual([9]);
  });

  test("what the zstd tool makes", async () => {
    const path = folder.write("real.zst", Buffer.from(REAL_ZSTD, "base64"));
    expect(summary(await readAll([path])).traces).toEqual([5]);
  });

  test("nothing", async () => {
    expect(await readAll([folder.write("empty", "")])).toEqual([]);
    expect(await readAll([folder.write("blank", " \n\n")])).toEqual([]);
    expect(await readAll([folder.write("quiet", "{}\n{}\n")])).toEqual([]);
  });
});

const lineCount = (text: string): number => text.split("\n").length;

function spanOf(n: number): object {
  const [container] = (traces(n) as { resourceSpans: { scopeSpans: { spans: object[] }[] }[] }).resourceSpans;
  return container?.scopeSpans[0]?.spans[0] ?? {};
}

describe("a broken record is told, and nothing after it is lost:", () => {
  const line = JSON.stringify(traces(1));
  const after = json(traces(2), traces(3));
  const prettyArray = JSON.stringify([traces(1), traces(2), traces(3)], null, 2);
  const [second, third] = [pretty(traces(2)), pretty(traces(3))];
  const [two, three] = [framed(protobuf(traces(2))), framed(protobuf(traces(3)))];
  const cutPretty = pretty(traces(1)).slice(0, -20);
  const cutOff = stored(protobuf(traces(1))).subarray(0, 30);
  test.each([
    ["a line cut off in a string", `${line.slice(0, 70)}\n${after}`, 1],
    ["a line cut off between members", `${line.slice(0, line.indexOf('"spanId"'))}\n${after}`, 1],
    ["a line cut off before its last brackets", `${line.slice(0, -3)}\n${after}`, 1],
    ["a line cut off after a comma", `{"resourceSpans":[],\n${after}`, 1],
    ["a line that is no JSON", `hello\n${after}`, 1],
    ["a line with something behind it", `{"resourceSpans":[]} x\n${after}`, 1],
    ["a line of another shape", `{"resourceSpans":{}}\n${after}`, 1],
    ["a line of something else", `${json(traces(2))}{"level":"info"}\n${json(traces(3))}`, 2],
    ["a line with invalid UTF-8", Buffer.from(`{"a":"\xff"}\n${after}`, "latin1"), 1],
    ["a scalar", `12\n${after}`, 1],
    ["the last line", `${after}${line.slice(0, 50)}`, 3],
    ["an element of a pretty array", prettyArray.replace('"spanId"', "spanId"), 2],
    ...["12", "null", '"},{"', '[{"a":[1]}]'].map((element): [string, string, number] => [
      `the element ${element} of an array on one line`,
      `[${JSON.stringify(traces(2))},${element},${JSON.stringify(traces(3))}]`,
      1,
    ]),
    ["a document among pretty ones", `${second}\n${cutPretty}\n${third}`, lineCount(second) + 1],
    ["a framed record", Buffer.concat([two, framed(Buffer.from([10, 200, 1])), three]), 2],
    ["a framed record that does not inflate", Buffer.concat([two, framed(cutOff), three]), 2],
    ["the end of a framed file", Buffer.concat([two, three, Buffer.from([0, 0, 1])]), 3],
  ])("%s", async (what, content, where) => {
    const { traces: numbers, invalid } = summary(await readAll([folder.write(`broken ${what}`, content)]));
    expect(numbers).toEqual([2, 3]);
    expect(invalid.length).toBeGreaterThan(0);
    expect(invalid[0]).toMatch(new RegExp(`^${where}: \\S`));
  });

  test("a gzip that ends early gives what was in it", async () => {
    const lines = Array.from({ length: 3000 }, (_, i) => json(traces(i + 1))).join("");
    const whole = zlib.gzipSync(lines);
    const path = folder.write("cut.gz", whole.subarray(0, whole.length - 2000));
    const { traces: numbers, invalid } = summary(await readAll([path]));
    expect(numbers.length).toBeGreaterThan(1000);
    expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, i) => i + 1));
    expect(invalid.at(-1)).toMatch(/end of file/);
  });

  test("UTF-16 is named, with what to do", async () => {
    const text = Buffer.from(`\ufeff${json(traces(1))}`, "utf16le");
    const { traces: numbers, invalid } = summary(await readAll([folder.write("redirected", text)]));
    expect([numbers, invalid]).toEqual([[], ["1: the text is UTF-16: save it as UTF-8"]]);
  });

  test("protobuf that is none", async () => {
    const { invalid } = summary(await readAll([folder.write("noise", Buffer.from([200, 3, 7, 9, 1, 1]))]));
    expect(invalid).toHaveLength(1);
  });
});

describe("names", () => {
  const set = new TemporaryFolder();
  afterAll(() => set.remove());
  set.write("b/traces.jsonl", json(traces(1)));
  set.write("b/001-traces.pb", protobuf(traces(1)));
  set.write("b/expected.json", pretty({ runs: [{ query: "x" }] }));
  set.write("b/requests.json", JSON.stringify([{ file: "001-traces.pb" }]));
  set.write("b/notes.md", "# notes\n");
  set.write("b/.hidden", json(traces(99)));
  set.write("a.json", pretty(traces(2)));
  set.write("broken.jsonl", `${JSON.stringify(traces(4)).slice(0, -4)}\n`);

  test("of folders give everything inside that is telemetry, in order, and a note for the rest", async () => {
    const result = summary(await readAll([set.path]));
    expect(result.traces).toEqual([2, 1, 1]);
    expect(result.skipped.map((file) => basename(file))).toEqual([
      "expected.json",
      "notes.md",
      "requests.json",
    ]);
    expect(result.invalid).toEqual([expect.stringMatching(/^1: /)]);
  });

  test("of folders: symbolic links are followed once; a link that leads nowhere is an error", async () => {
    folder.write("elsewhere/a.jsonl", json(traces(7)));
    mkdirSync(join(folder.path, "links"));
    symlinkSync("../elsewhere", join(folder.path, "links/latest"));
    symlinkSync("../links", join(folder.path, "elsewhere/back"));
    expect(summary(await readAll([join(folder.path, "links")])).traces).toEqual([7]);
    symlinkSync("gone", join(folder.path, "links/none.jsonl"));
    await expect(readAll([join(folder.path, "links")])).rejects.toThrow(/none\.jsonl: this symbolic link/);
    symlinkSync("loop.jsonl", join(folder.path, "links/loop.jsonl"));
    for (const name of ["links", "links/loop.jsonl"])
      await expect(readAll([join(folder.path, name)])).rejects.toThrow(/loop\.jsonl: this symbolic link/);
  });

  test("of a folder: lines of the program before the first request are reported, and the requests are read", async () => {
    const mixed = new TemporaryFolder();
    onTestFinished(() => mixed.remove());
    mixed.write("traces.jsonl", `{"image":"a.png"}\nstarting\n${json(traces(2))}`);
    mixed.write("other.jsonl", `{"image":"a.png"}\n`.repeat(99));
    mixed.write("long.jsonl", `${`{"image":"a.png"}\n`.repeat(100)}${json(traces(1))}`);
    const result = summary(await readAll([mixed.path]));
    expect(result.traces).toEqual([2]);
    expect(result.invalid.map((line) => line.slice(0, 11))).toEqual(["1: not OTLP", "2: not OTLP"]);
    expect(result.skipped.map((file) => basename(file))).toEqual(["long.jsonl", "other.jsonl"]);
  });

  test("of files that are something else are an error", async () => {
    const result = summary(await readAll([`${set.path}/b/expected.json`]));
    expect(result.invalid).toEqual([
      "1: not OTLP: the document has none of resourceSpans, resourceLogs, resourceMetrics; docs/dumps.md lists the formats",
    ]);
  });

  test("of formats that are not read say what to do instead", async () => {
    const foreign = new TemporaryFolder();
    onTestFinished(() => foreign.remove());
    const invalid = async (text: string): Promise<readonly string[]> =>
      summary(await readAll([foreign.write("dump", text)])).invalid;

    expect(await invalid(`[{"id":"a","run_type":"llm","inputs":{}}]`)).toEqual([
      "1: runs of LangSmith's API are not supported: let the program send OTLP (docs/agents/langsmith.md)",
    ]);
    expect(await invalid(`[{"traceId":"1f","id":"2","localEndpoint":{"serviceName":"shop"}}]`)).toEqual([
      "1: Zipkin's format is not supported: send the traces with an OTLP exporter",
    ]);
    expect(await invalid("{\n  resource: {\n    attributes: { 'service.name': 'shop' }\n  },\n}\n")).toEqual([
      "1: the text is the output of JavaScript's console exporter, not JSON: use an OTLP exporter",
    ]);
  });

  test("may be patterns, and a file named twice is read once", async () => {
    expect(summary(await readAll([`${set.path}/**/*.jsonl`, `${set.path}/b/t*`])).traces).toEqual([1]);
    expect(summary(await readAll([`${set.path}/a.json`, set.path])).traces).toEqual([2, 1, 1]);
  });

  test("may be - for standard input", async () => {
    expect(summary(await readAll(["-"], json(traces(5)))).traces).toEqual([5]);
    expect(summary(await readAll([`${set.path}/a.json`, "-"], json(traces(5)))).traces).toEqual([2, 5]);
  });

  test.each(["nowhere.jsonl", "no*where.jsonl"])("that lead nowhere are an error: %s", async (name) => {
    await expect(readAll([`${set.path}/${name}`])).rejects.toThrow(DumpError);
    await expect(readAll([`${set.path}/${name}`])).rejects.toThrow(name);
  });
});
