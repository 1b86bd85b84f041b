import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { groupsOf, parseRegistry } from "../../src/support/telemetry/metrics/instruments/registry.ts";
import { callSpan, operationOf } from "../../src/model-server/record/call-span.ts";
import type { ModelRequest } from "../../src/model/model-exchange.ts";
import { protocols } from "../../src/model-server/protocols/protocols.ts";

/** Names of the registry of OpenTelemetry's conventions for generative AI, with the version they are from. */
const registry = JSON.parse(readFileSync("test/telemetry/genai-registry.json", "utf8")) as {
  readonly commit: string;
  readonly attributes: readonly string[];
};
const known: ReadonlySet<string> = new Set(registry.attributes);
const isUnknown = (name: string): boolean => name.startsWith("gen_ai.") && !known.has(name);

test("what is exported under gen_ai is in OpenTelemetry's registry", () => {
  const own = parseRegistry(readFileSync("docs/telemetry.yaml", "utf8"));
  const names = groupsOf(own, "attribute_group")
    // Attributes of the judged run keep the names that it sent.
    .filter(({ id }) => id !== "registry.run")
    .flatMap(({ attributes }) => attributes.map(({ id }) => id));
  expect(names).toContain("gen_ai.evaluation.name");
  expect(names.filter(isUnknown)).toEqual([]);
});

test("the page of what is exported names the version of the registry", () => {
  expect(readFileSync("docs/telemetry.md", "utf8")).toContain(registry.commit.slice(0, 8));
});

/** One request of each protocol, with all parameters that a protocol reads. */
const bodies = JSON.parse(readFileSync("test/telemetry/genai-requests.json", "utf8")) as Readonly<
  Record<string, object>
>;

test.each(protocols.map((protocol) => [protocol.name, protocol] as const))(
  "what the model server records of a call in %s under gen_ai is in the registry",
  (name, protocol) => {
    const path = name === "gemini-generate" ? "/v1beta/models/small:generateContent" : "/v1/any";
    const read = protocol.readRequest(path, JSON.parse(JSON.stringify(bodies[name])));
    const { request } = read as { readonly request: ModelRequest };
    const usage = { input: 1, output: 1, cached: 1, cacheWrite: 1, longCacheWrite: 1, reasoning: 1 };
    const span = callSpan(
      {
        operation: operationOf(name),
        provider: protocol.provider,
        request,
        isStreamed: true,
        previousResponseId: null,
        answer: {
          id: "r",
          model: "small-1",
          text: "2 m",
          reasoning: null,
          refusal: null,
          calls: [],
          finish: "stop",
          usage,
          serviceTier: "flex",
        },
        error: { type: "timeout", message: "too late" },
        startUnixMs: 1,
        endUnixMs: 2,
        firstChunkMs: 1,
        server: { address: "model", port: 1 },
      },
      { traceId: "1".repeat(32), spanId: "2".repeat(16), parentSpanId: null, conversationId: "c" },
    );
    const names = (span["attributes"] as readonly { readonly key: string }[]).map(({ key }) => key);
    expect(names).toContain("gen_ai.request.temperature");
    expect(names.filter(isUnknown)).toEqual([]);
  },
);
