import zlib from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { openDumps } from "../../src/receive/dump/dumps.ts";
import { all, framed, logs, protobuf, stored, TemporaryFolder, traces, tracesIn } from "./dump-files.ts";

const folder = new TemporaryFolder();
afterAll(() => folder.remove());

/** Trace `n` occurs in request `n` and `n + 7`. */
const requests = Array.from({ length: 60 }, (_, n) => (n < 7 ? traces(n + 1) : traces(n + 1, n - 6)));
const lines = requests.map((request) => `${JSON.stringify(request)}\n`).join("");

const numberOf = (words: readonly number[]): number =>
  Buffer.from(Int32Array.from(words).buffer).readUInt32BE(12);

/** For each batch, the traces that are finished after it, as the first pass foretells, and as hindsight knows. */
async function finished(
  ...names: string[]
): Promise<{ foretold: number[][]; known: number[][]; length: number | undefined }> {
  const dumps = await openDumps(names);
  const positions = await dumps.lastPositions();
  const items = (await all(dumps)).filter((item) => item.kind === "batch");
  const numbers = items.map((item) => [...new Set(tracesIn(item))]);
  const known = numbers.map((own, i) =>
    own
      .filter(
        (n) =>
          !numbers
            .slice(i + 1)
            .flat()
            .includes(n),
      )
      .toSorted((a, b) => a - b),
  );
  const foretold = items.map((item) =>
    positions
      .take(item.position)
      .map(numberOf)
      .toSorted((a, b) => a - b),
  );
  dumps.close();
  return { foretold, known, length: dumps.length };
}

describe("the first pass foretells where each trace ends, in", () => {
  test.each([
    ["JSON lines", lines],
    ["snake_case", lines.replaceAll("traceId", "trace_id")],
    [
      "lines whose texts are full of what looks like the name",
      lines.replaceAll('{"traceId"', '{"name":"\\"traceI\\"trace_\\"traceId","x_I":"__II_","traceId"'),
    ],
    ["an array of pretty documents", JSON.stringify(requests, null, 2)],
    ["an array on one line", JSON.stringify(requests)],
    ["records", Buffer.concat(requests.map((request) => framed(protobuf(request))))],
    ["compressed records", Buffer.concat(requests.map((request) => framed(stored(protobuf(request)))))],
    ["gzip", zlib.gzipSync(lines)],
    ["zstd", stored(Buffer.from(lines))],
  ])("%s", async (what, content) => {
    const { foretold, known } = await finished(folder.write(what, content));
    expect(foretold).toEqual(known);
    expect(known.flat()).toHaveLength(60);
  });

  test("several files, broken and foreign ones among them", async () => {
    const { foretold, known, length } = await finished(
      folder.write("set/1.jsonl", lines),
      folder.write("set/2.jsonl", `broken\n${lines}`),
      folder.write("set/3.pb", protobuf(traces(3))),
    );
    expect(foretold).toEqual(known);
    expect(length).toBe(2 * lines.length + 7 + protobuf(traces(3)).length);
  });

  test("files larger than what is read at once", async () => {
    const long = {
      resourceSpans: [
        { resource: { attributes: [{ key: "x", value: { stringValue: "y".repeat(180_000) } }] } },
      ],
    };
    const content = requests
      .map((request) => `${JSON.stringify(request)}\n${JSON.stringify(long)}\n`)
      .join("");
    const { foretold, known } = await finished(folder.write("long", content));
    expect(known.filter((own) => own.length > 0)).toEqual(foretold.filter((own) => own.length > 0));
    expect(known.flat()).toHaveLength(60);
  });

  test("log records", async () => {
    const dumps = await openDumps([
      folder.write("logs", [1, 2, 3].map((n) => JSON.stringify(logs(n))).join("\n")),
    ]);
    const positions = await dumps.lastPositions();
    expect(positions.traces).toBe(3);
    expect(positions.take(Infinity).map(numberOf)).toEqual([1, 2, 3]);
    expect(positions.take(Infinity)).toEqual([]);
  });
});
