import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { callSpan, type RecordedCall, spansRequest } from "../../../src/model-server/record/call-span.ts";
import {
  type CallOutcome,
  ModelRecorder,
  type ModelRecorderOptions,
} from "../../../src/model-server/record/model-recorder.ts";
import type { CallOrigin } from "../../../src/model-server/record/trace-parent.ts";
import { openRecordServer } from "../../../src/model-server/record/record-server.ts";

/** A provider that answers as it is told to. Gives its base URL. */
export async function providerOf(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A call of a model with what is given. */
export function recordedCall(given: Partial<RecordedCall>): RecordedCall {
  return {
    operation: "chat",
    provider: "openai",
    request: null,
    isStreamed: false,
    previousResponseId: null,
    answer: null,
    error: null,
    startUnixMs: 1,
    endUnixMs: 2,
    firstChunkMs: null,
    server: { address: "localhost", port: null },
    ...given,
  };
}

export interface Recorded {
  /** The provider's base URL as agents are given it. */
  readonly baseUrl: string;
  readonly calls: (readonly [call: RecordedCall, origin: CallOrigin])[];
  readonly outcomes: CallOutcome[];
  /** Settles when all calls that are under way are over. */
  settled(callId?: string, graceMs?: number): Promise<void>;
  /** The first call, once all are over. */
  firstCall(): Promise<RecordedCall | undefined>;
  /** The calls as spans of one trace. */
  spans(): object;
}

/** A recorder before a provider, which ends with the test. */
export async function recorderOf(
  upstream: string,
  options: Partial<ModelRecorderOptions> = {},
): Promise<Recorded> {
  const calls: (readonly [RecordedCall, CallOrigin])[] = [];
  const outcomes: CallOutcome[] = [];
  const base = new URL(upstream);
  const recorder = new ModelRecorder({
    mounts: () => new Map([["provider", { name: "provider", base }]]),
    onCall: (call, origin) => {
      calls.push([call, origin]);
      return true;
    },
    onRequest: (outcome) => outcomes.push(outcome),
    ...options,
  });
  const address = { host: "127.0.0.1", port: 0 };
  const server = await openRecordServer({ address, setting: "receivers.models", recorder });
  onTestFinished(() => server.close(0));
  return {
    baseUrl: `${server.origin}/r/call-1/provider${base.pathname.replace(/\/$/, "")}`,
    calls,
    outcomes,
    settled: (callId, graceMs) => recorder.settled(callId, graceMs),
    firstCall: async () => {
      await recorder.settled();
      return calls[0]?.[0];
    },
    spans: () => {
      const traceId = "0af7651916cd43dd8448eb211c80319c";
      const spans = calls.map(([call], at) =>
        callSpan(call, { traceId, spanId: String(at + 1).padStart(16, "0"), parentSpanId: null }),
      );
      return spansRequest(spans, { "service.name": "agent" });
    },
  };
}
