import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Batch } from "../../src/otlp/rows/batch.ts";
import { readLogsJson } from "../../src/otlp/json/read-json.ts";
import { readLogs } from "../../src/otlp/protobuf/read-protobuf.ts";
import type { ReadResult } from "../../src/otlp/read-result.ts";
import { logMessage } from "./forms.ts";
import { JsonWriter, plain, type Style } from "./json-writer.ts";
import { encode, LogsData } from "./oracle.ts";
import { batchPicture, oracleLogs } from "./pictures.ts";
import { logGroups } from "./requests.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function taken(result: ReadResult): Batch {
  if (!result.ok) throw new Error(`${result.message} at ${result.offset}`);
  expect(result.batch.rejected).toEqual({ count: 0, reason: "" });
  return result.batch;
}

const ways: readonly (readonly [way: string, style: Partial<Style>])[] = [
  ["compact", {}],
  ["with white space", { space: " \t\r\n" }],
  ["with values before keys", { reversed: true }],
  ["in snake_case", { snakeCase: true }],
  ["with escaped names", { escapedNames: true }],
  ["with unknown members and nulls", { extras: true }],
  ["with bare integers and upper-case ids", { bareIntegers: true, upperCaseIds: true }],
  ["with base64 of the URL alphabet", { urlBase64: true }],
  ["with every character escaped", { escapedText: true }],
  ["all at once", { space: " ", reversed: true, snakeCase: true, escapedNames: true, extras: true }],
];

describe("random log records", () => {
  test("read from protobuf are what protobufjs decodes", () => {
    fc.assert(
      fc.property(logGroups, (groups) => {
        const body = encode(LogsData, logMessage(groups));
        expect(batchPicture(taken(readLogs(body)))).toEqual(oracleLogs(body));
      }),
      { numRuns: 40 },
    );
  });

  test.each(ways)("read from JSON %s are the same", (_way, style) => {
    fc.assert(
      fc.property(logGroups, (groups) => {
        const expected = oracleLogs(encode(LogsData, logMessage(groups)));
        const json = new JsonWriter({ ...plain, ...style }).logs(groups);
        expect(batchPicture(taken(readLogsJson(bytes(json))))).toEqual(expected);
      }),
      { numRuns: 12 },
    );
  });
});
