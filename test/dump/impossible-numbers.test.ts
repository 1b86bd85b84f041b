import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { convertDump } from "../../src/receive/dump/stored/convert.ts";
import {
  clickhouse,
  type Document,
  jaeger,
  langfuse,
  mlflow,
  phoenix,
  phoenixOtlp,
  tempo,
} from "./stores.ts";

const documents = readFileSync("test/fixtures/runs/support-cancel.agents-sdk.jsonl", "utf8")
  .split("\n")
  .filter(Boolean)
  .map((line) => JSON.parse(line) as Document);

const stores: Readonly<Record<string, unknown>> = {
  "Tempo, as batches": tempo(documents, "v1"),
  Jaeger: jaeger(documents),
  Phoenix: phoenix(documents),
  "Phoenix in OTLP's names": phoenixOtlp(documents),
  Langfuse: langfuse(documents),
  MLflow: mlflow(documents),
  ClickHouse: clickhouse(documents),
};

/** As they can stand in JSON, which has no bound for numbers. */
const impossible = [
  "1e400",
  "-1e400",
  "1e300",
  "-5",
  "1.5",
  "99999999999999999999999",
  '"1e400"',
  '"never"',
  "[]",
  "{}",
  "null",
  "true",
];

/** The dump with a hole in place of each number or time. */
function withHoles(dump: unknown): string[] {
  const hole = "@hole@";
  const isNumber = (value: unknown): boolean =>
    typeof value === "number" ||
    (typeof value === "string" && /^(?:\d{10,}|\d{4}-\d\d-\d\dT.*)$/.test(value));
  let count = 0;
  JSON.stringify(dump, (_, value: unknown) => {
    if (isNumber(value)) count++;
    return value;
  });
  return Array.from({ length: count }, (_, wanted) => {
    let at = 0;
    return JSON.stringify(dump, (__, value: unknown) => (isNumber(value) && at++ === wanted ? hole : value));
  });
}

describe.each(Object.entries(stores))("a dump of %s", (_, dump) => {
  const holed = withHoles(dump);

  test("has numbers and times", () => expect(holed.length).toBeGreaterThan(10));

  test("with an impossible number costs what it is in, and no exception", () => {
    fc.assert(
      fc.property(fc.constantFrom(...holed), fc.constantFrom(...impossible), (text, number) => {
        const converted = convertDump(text.replace('"@hole@"', number));
        expect(converted?.documents.length ?? 0).toBeGreaterThan(0);
        expect(converted?.invalid.length ?? 0).toBeLessThanOrEqual(1);
      }),
      { numRuns: 30 },
    );
  });
});
