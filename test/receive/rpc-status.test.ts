import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  clipMessage,
  encodeResponse,
  encodeStatus,
  responseJson,
  statusJson,
} from "../../src/receive/grpc/rpc-status.ts";
import { parseGrpcTimeout } from "../../src/receive/grpc/grpc-timeout.ts";
import { decode, decodeStatus } from "./support.ts";
import { anyText } from "../support/any-text.ts";

const text = anyText({ maxLength: 3000 });

describe("google.rpc.Status", () => {
  test("any code, message and delay read the same by protobufjs and as JSON", () => {
    const code = fc.constantFrom(0, 3, 4, 5, 8, 12, 13, 14) as fc.Arbitrary<3>;
    const delay = fc.option(fc.double({ min: 0, max: 1e6, noNaN: true }), { nil: null });
    fc.assert(
      fc.property(code, text, delay, (code, message, retryAfterS) => {
        const status = { code, message, retryAfterS };
        const seen = decodeStatus(encodeStatus(status));
        const json = JSON.parse(statusJson(status)) as { code: number; message: string };
        expect([seen.code, seen.message]).toEqual([code, clipMessage(message)]);
        expect([json.code, json.message]).toEqual([code, clipMessage(message)]);
        const seconds = retryAfterS === null ? undefined : String(Math.max(1, Math.ceil(retryAfterS)));
        expect(seen.details["RetryInfo"]?.["retryDelay"]).toEqual(seconds && { seconds });
      }),
    );
  });

  test("a message is cut between characters at 1 KiB", () => {
    fc.assert(
      fc.property(text, (message) => {
        const clipped = clipMessage(message);
        expect(Buffer.byteLength(clipped)).toBeLessThanOrEqual(1024);
        expect(Buffer.from(message).toString().startsWith(clipped)).toBe(true);
        expect(clipped.length === message.length || Buffer.byteLength(clipped) > 1020).toBe(true);
      }),
    );
  });
});

test.each([
  ["traces", "trace.v1.ExportTraceServiceResponse", "rejectedSpans"],
  ["logs", "logs.v1.ExportLogsServiceResponse", "rejectedLogRecords"],
  ["metrics", "metrics.v1.ExportMetricsServiceResponse", "rejectedDataPoints"],
] as const)("Export…ServiceResponse of %s: protobuf and JSON say the same", (signal, type, field) => {
  fc.assert(
    fc.property(fc.maxSafeNat(), text, (rejected, message) => {
      const decoded = decode(`opentelemetry.proto.collector.${type}`, encodeResponse(rejected, message));
      expect(decoded).toEqual(JSON.parse(responseJson(signal, rejected, message)));
      const { partialSuccess } = decoded as { partialSuccess?: Record<string, string> };
      expect(Number(partialSuccess?.[field] ?? 0)).toBe(rejected);
    }),
  );
});

test.each([
  ["10S", 10_000],
  ["1H", 3_600_000],
  ["2M", 120_000],
  ["250m", 250],
  ["5000u", 5],
  ["99999999n", 99.999999],
  ["0S", 0],
  ["123456789S", null],
  ["S", null],
  ["-1S", null],
  ["1s", null],
  ["", null],
  [undefined, null],
])("grpc-timeout %s", (header, ms) => {
  const parsed = parseGrpcTimeout(header);
  expect(parsed === null ? null : Math.round(parsed * 1e9) / 1e9).toBe(ms);
});
