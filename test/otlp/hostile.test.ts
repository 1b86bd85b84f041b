import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readLogsJson, readMetricsJson, readTracesJson } from "../../src/otlp/json/read-json.ts";
import { readLogs, readMetrics, readTraces } from "../../src/otlp/protobuf/read-protobuf.ts";
import { traceMessage } from "./forms.ts";
import { JsonWriter, plain as compact } from "./json-writer.ts";
import { encode, TracesData } from "./oracle.ts";
import { batchPicture, oracleTraces } from "./pictures.ts";
import { spanGroups } from "./requests.ts";

interface Change {
  readonly at: number;
  readonly byte: number;
  readonly how: "replace" | "insert" | "delete" | "cut";
}

const changes: fc.Arbitrary<readonly Change[]> = fc.array(
  fc.record({
    at: fc.nat(),
    byte: fc.oneof(fc.nat(255), fc.constantFrom(0, 0x80, 0xff, 34, 44, 92, 93, 123, 125)),
    how: fc.constantFrom("replace" as const, "insert" as const, "delete" as const, "cut" as const),
  }),
  { minLength: 1, maxLength: 3 },
);

function changed(body: Uint8Array, all: readonly Change[]): Uint8Array {
  let bytes = [...body];
  for (const { at, byte, how } of all) {
    const place = bytes.length === 0 ? 0 : at % bytes.length;
    if (how === "replace") bytes[place] = byte;
    else if (how === "insert") bytes.splice(place, 0, byte);
    else if (how === "delete") bytes.splice(place, 1);
    else bytes = bytes.slice(0, place);
  }
  return Uint8Array.from(bytes);
}

/** What the oracle sees, or why it sees nothing. */
function attempt(read: () => unknown): { readonly seen: unknown } | undefined {
  try {
    return { seen: read() };
  } catch {
    return undefined;
  }
}

/** The report of a property that does not hold; undefined when it does. */
function failure<Values>(property: fc.IProperty<Values>, numRuns: number): string | undefined {
  return fc.defaultReportMessage(fc.check(property, { numRuns }));
}

describe("changed bytes", () => {
  test("in protobuf give what protobufjs gives, a refusal, or a clean error", () => {
    const property = fc.property(spanGroups, changes, (groups, all) => {
      const body = changed(encode(TracesData, traceMessage(groups)), all);
      const result = readTraces(body);
      readLogs(body);
      readMetrics(body);
      if (!result.ok) return result.message !== "";
      const ours = batchPicture(result.batch);
      const oracle = attempt(() => oracleTraces(body));
      // The oracle keeps spans with bad ids, and looks into parts that are skipped here.
      return (
        oracle === undefined ||
        result.batch.rejected.count > 0 ||
        isDeepStrictEqual(plain(ours), plain(oracle.seen))
      );
    });
    expect(failure(property, 80)).toBeUndefined();
  });

  test("in JSON are an error exactly when the bytes are no JSON, or no OTLP", () => {
    const property = fc.property(spanGroups, changes, (groups, all) => {
      const body = changed(new TextEncoder().encode(new JsonWriter(compact).traces(groups)), all);
      const result = readTracesJson(body);
      readLogsJson(body);
      readMetricsJson(body);
      if (result.ok) batchPicture(result.batch);
      const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
      const json = attempt(() => JSON.parse(decoder.decode(body)));
      return result.ok ? json !== undefined : json === undefined || NO_OTLP.test(result.message);
    });
    expect(failure(property, 100)).toBeUndefined();
  });
});

const NO_OTLP = /expected an (array|object)|must be a JSON object/;

/** Without prototypes and the difference between null and undefined members, which do not matter here. */
function plain(picture: unknown): unknown {
  return JSON.parse(JSON.stringify(picture));
}
