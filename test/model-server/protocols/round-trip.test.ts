import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ModelAnswer } from "../../../src/model/model-exchange.ts";
import type { ReceivedModelRequest, ProtocolName } from "../../../src/model-server/protocols/protocol.ts";
import { protocols } from "../../../src/model-server/protocols/protocols.ts";
import { answerOf } from "../scripted.ts";
import { arbitraryAnswer } from "./arbitrary-answer.ts";

const fresh = { id: (prefix: string) => `${prefix}fresh`, unixS: 1_700_000_000 };

describe.each(protocols.map((protocol) => ({ name: protocol.name, protocol })))("$name", ({ protocol }) => {
  const to = requestFor(protocol.name);

  test("a whole answer is read as it was written", () => {
    fc.assert(
      fc.property(arbitraryAnswer(protocol.name), (answer) => {
        const body = JSON.parse(JSON.stringify(protocol.writeAnswer(answer, to, fresh)));

        expect(protocol.readAnswer(body)).toEqual(answer);
      }),
    );
  });

  test("a streamed answer is read as it was written", () => {
    fc.assert(
      fc.property(arbitraryAnswer(protocol.name), (answer) => {
        const reader = protocol.readStream();
        for (const piece of protocol.writeStream(answer, to, fresh)) reader.push(piece);

        expect(reader.failure).toBeNull();
        expect(reader.answer()).toEqual(answer);
      }),
    );
  });

  test("a stream that ends at any piece is read without a throw, and never shows more than was sent", () => {
    fc.assert(
      fc.property(arbitraryAnswer(protocol.name), fc.nat(), (answer, at) => {
        const pieces = protocol.writeStream(answer, to, fresh);
        const reader = protocol.readStream();
        for (const piece of pieces.slice(0, at % pieces.length)) reader.push(piece);
        const read = reader.answer();

        expect(answer.text ?? "").toContain(read?.text ?? "");
        expect(answer.calls.length).toBeGreaterThanOrEqual(read?.calls.length ?? 0);
      }),
    );
  });

  test("no text is split inside of a character", () => {
    const text = "😀".repeat(200);
    const answer: ModelAnswer = { ...plain, text };
    for (const { data } of protocol.writeStream(answer, to, fresh)) expect(data).not.toMatch(/\\ud[89ab]/i);
  });

  test.each([
    { status: 400, kind: "invalid_request" },
    { status: 400, kind: "context_length" },
    { status: 401, kind: "authentication" },
    { status: 404, kind: "not_found" },
    { status: 413, kind: "too_large" },
    { status: 429, kind: "rate_limit" },
    { status: 500, kind: "server" },
    { status: 503, kind: "overloaded" },
    { status: 504, kind: "timeout" },
  ] as const)("the failure $kind is read as it was written", ({ status, kind }) => {
    const message = kind === "context_length" ? "the prompt is too long: 9 tokens" : "no";
    const failure = { status, kind, message, retryAfterS: null };

    expect(protocol.readFailure(status, protocol.writeFailure(failure))).toEqual(failure);
  });

  test("anything as a body is read without a throw", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (body, other) => {
        const json = JSON.parse(JSON.stringify(body));
        protocol.readRequest("/v1beta/models/m:generateContent", json);
        protocol.readRequest("", { messages: [json, other], input: [json], contents: [json], tools: [json] });
        protocol.readAnswer(json);
        protocol.readFailure(400, json);
        const reader = protocol.readStream();
        reader.push({ event: "x", data: JSON.stringify(body) });
        reader.push({ event: null, data: "{" });

        expect(() => reader.answer()).not.toThrow();
      }),
    );
  });
});

const unknown = { input: null, output: null, cached: null, cacheWrite: null, reasoning: null };
const plain = answerOf({ usage: unknown });

function requestFor(name: ProtocolName): ReceivedModelRequest {
  const body = { stream: true, stream_options: { include_usage: true } };
  const request = { model: "m", system: null, messages: [], tools: [], parameters: {} };
  return { protocol: name, request, isStreamed: true, previousResponseId: null, body };
}
