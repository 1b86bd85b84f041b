import { Client, credentials, Metadata, type ServiceError } from "@grpc/grpc-js";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Acceptance } from "../../src/receive/ports.ts";
import { LONGEST_WAIT_MS, simulatedDelay } from "../support/eventually.ts";
import { decodeStatus, receive, TRACE_EXPORT } from "./support.ts";

const bytes = (message: Buffer) => message;

/** One call by the client library that exporters are made with; null for OK. */
function exportTo(
  address: string,
  message: Buffer,
  deadlineMs = LONGEST_WAIT_MS,
): Promise<ServiceError | null> {
  const client = new Client(address, credentials.createInsecure(), { "grpc.max_send_message_length": -1 });
  onTestFinished(() => client.close());
  const options = { deadline: new Date(new Date().getTime() + deadlineMs) };
  return new Promise((resolve) => {
    client.makeUnaryRequest(TRACE_EXPORT, bytes, bytes, message, new Metadata(), options, resolve);
  });
}

function detailsOf(error: ServiceError | null): Record<string, unknown> {
  const [bin] = error?.metadata.get("grpc-status-details-bin") ?? [];
  return bin instanceof Buffer ? decodeStatus(bin).details : {};
}

describe("what a gRPC client makes of our answers", () => {
  test.each<[string, Acceptance, number, string[]]>([
    ["taken", { kind: "accepted", rejected: 0, message: "" }, 0, []],
    ["malformed", { kind: "malformed", message: "no span: «50 %»" }, 3, ["BadRequest"]],
    ["busy", { kind: "unavailable", retryAfterS: 1, message: "no room" }, 14, ["RetryInfo"]],
    ["over quota", { kind: "throttled", retryAfterS: 2, message: "too much" }, 8, ["RetryInfo"]],
    ["broken", { kind: "failed", message: "our fault" }, 13, []],
  ])("%s", async (_name, acceptance, code, details) => {
    const { grpc } = await receive({ accept: () => acceptance });
    const error = await exportTo(grpc, Buffer.alloc(1000));
    expect(error?.code ?? 0).toBe(code);
    expect(error?.details ?? "").toBe(acceptance.message);
    expect(Object.keys(detailsOf(error))).toEqual(details);
  });

  test("C42 closing while calls are open: they end OK or UNAVAILABLE, never otherwise", async () => {
    const { grpc, receiver } = await receive({
      accept: async () => {
        await simulatedDelay(5);
        return { kind: "accepted", rejected: 0, message: "" };
      },
    });
    const calls = Array.from({ length: 50 }, () => exportTo(grpc, Buffer.alloc(20_000)));
    await calls[0];
    await receiver.close(5000);
    const codes = new Set((await Promise.all(calls)).map((error): number => error?.code ?? 0));
    expect([...codes].filter((code) => code !== 0 && code !== 14)).toEqual([]);
  });
});
