import { once } from "node:events";
import { expect, test } from "vitest";
import type { FaultKind } from "../../../src/model/fault-kinds.ts";
import { FaultyResponder } from "../../../src/model-server/faults/faulty-responder.ts";
import type { ModelRecorderOptions } from "../../../src/model-server/record/model-recorder.ts";
import { providerOf, recorderOf } from "./recorded.ts";

/*
 * Faults before a provider: hostile requests and providers end in an error of the protocol's own form.
 */

const chat = { model: "m", messages: [{ role: "user", content: "Hi" }] };

async function post(
  base: string,
  body: string,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const response = await fetch(`${base}/chat/completions`, { method: "POST", body });
  return { status: response.status, body: await response.json() };
}

function before(kind: FaultKind): Partial<ModelRecorderOptions> {
  return { between: (inner) => new FaultyResponder(inner, { kind, at: 1, isLasting: false }) };
}

const error = { error: { message: expect.any(String), type: expect.any(String) } };

test("a body of 50 MiB is too large", async () => {
  const recorded = await recorderOf(await providerOf((_, response) => response.end("{}")), before("empty"));

  expect(await post(recorded.baseUrl, `"${"x".repeat(50 << 20)}"`)).toMatchObject({
    status: 413,
    body: error,
  });
});

test("a body that is no request goes on to the provider as it is", async () => {
  const seen: string[] = [];
  const upstream = await providerOf((request, response) => {
    request.setEncoding("utf8").on("data", (text: string) => seen.push(text));
    request.on("end", () => response.writeHead(400).end('{"error":{"message":"no","type":"t"}}'));
  });
  const recorded = await recorderOf(upstream, before("empty"));

  expect(await post(recorded.baseUrl, "{")).toMatchObject({ status: 400, body: error });
  expect(seen).toEqual(["{"]);
});

test("a provider that never ends is given up when its answer is too large", async () => {
  let isCut = false;
  const upstream = await providerOf((_, response) => {
    const more = (): void => {
      while (response.write("x".repeat(1 << 16)));
    };
    response.on("drain", more).on("close", () => (isCut = true));
    more();
  });
  const memory = { all: 4 << 20, one: 1 << 20 };
  const recorded = await recorderOf(upstream, { ...before("length"), memory });

  expect(await post(recorded.baseUrl, JSON.stringify(chat))).toMatchObject({ status: 502, body: error });
  await expect.poll(() => isCut).toBe(true);
});

test("a redirect is not followed", async () => {
  const upstream = await providerOf((_, response) =>
    response.writeHead(307, { location: "http://127.0.0.1:9/away" }).end(),
  );
  const recorded = await recorderOf(upstream, before("length"));

  expect(await post(recorded.baseUrl, JSON.stringify(chat))).toMatchObject({ status: 502, body: error });
});

test("a client that goes while the provider is asked ends the provider's request", async () => {
  let closed: Promise<unknown> | undefined;
  const leaving = new AbortController();
  const upstream = await providerOf((_, response) => {
    closed = once(response, "close");
    leaving.abort();
  });
  const recorded = await recorderOf(upstream, before("length"));
  const { signal } = leaving;
  const body = JSON.stringify(chat);

  await expect(
    fetch(`${recorded.baseUrl}/chat/completions`, { method: "POST", body, signal }),
  ).rejects.toThrow(/abort/);
  await closed;
});
