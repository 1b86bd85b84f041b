import { expect, test } from "vitest";
import type { RecordedCall } from "../../../src/model-server/record/call-span.ts";
import { NotingResponder } from "../../../src/model-server/record/answered-call.ts";
import type { CallContext, Responded, Responder } from "../../../src/model-server/server/responder.ts";
import { until } from "../../support/eventually.ts";
import { answerOf, serverOf } from "../scripted.ts";
import { recorderOf } from "./recorded.ts";

/** Answers each request when it is told to. */
class WaitingResponder implements Responder {
  readonly waiting: { readonly answer: () => void; readonly signal: AbortSignal }[] = [];

  async respond(_: unknown, { signal }: CallContext): Promise<Responded> {
    await new Promise<void>((answer) => {
      this.waiting.push({ answer, signal });
    });
    return { answer: answerOf({ text: "Noon.", finish: "stop" }) };
  }
}

async function ask(baseUrl: string, signal?: AbortSignal): Promise<unknown> {
  const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "What time is it?" }] });
  const init = { method: "POST", body, ...(signal === undefined ? {} : { signal }) };
  const response = await fetch(`${baseUrl}/chat/completions`, init);
  return response.json();
}

/** Asks twice: the client gives the first attempt up before it is answered. */
async function askTwice(baseUrl: string, responder: WaitingResponder): Promise<void> {
  const client = new AbortController();
  const lost = ask(baseUrl, client.signal).catch(() => "lost");
  await until(() => responder.waiting.length === 1);
  client.abort();
  const [first] = responder.waiting;
  await until(() => first?.signal.aborted === true);
  first?.answer();
  expect(await lost).toBe("lost");
  const second = ask(baseUrl);
  await until(() => responder.waiting.length === 2);
  responder.waiting[1]?.answer();
  await second;
}

const lostAndAnswered = [
  { answer: null, error: { type: "cancelled" } },
  { answer: { text: "Noon." }, error: null },
];

test("a call whose client was gone before it had the answer is no answered call in playback", async () => {
  const waiting = new WaitingResponder();
  const calls: RecordedCall[] = [];
  const noting = new NotingResponder(waiting, (call) => Promise.resolve(calls.push(call)));
  const server = await serverOf(noting);

  await askTwice(`${server.baseUrl("c")}/v1`, waiting);
  await noting.settled("c");

  expect(calls).toMatchObject(lostAndAnswered);
});

test("a call whose client was gone before it had the answer is no answered call where faults stand between", async () => {
  const waiting = new WaitingResponder();
  const recorded = await recorderOf("http://127.0.0.1:1/v1", { between: () => waiting });

  await askTwice(recorded.baseUrl, waiting);
  await recorded.settled();

  expect(recorded.calls.map(([call]) => call)).toMatchObject(lostAndAnswered);
});

test("a call that gets no answer is a time-out when its client gives it up", async () => {
  let isAsked = false;
  const hanging: Responder = {
    respond: () => {
      isAsked = true;
      return Promise.resolve({ answer: answerOf({ text: "Noon." }), disturbance: { hang: true } });
    },
  };
  const calls: RecordedCall[] = [];
  const noting = new NotingResponder(hanging, (call) => Promise.resolve(calls.push(call)));
  const server = await serverOf(noting);
  const client = new AbortController();
  const lost = ask(`${server.baseUrl("c")}/v1`, client.signal).catch(() => "lost");
  await until(() => isAsked);
  client.abort();
  expect(await lost).toBe("lost");
  await noting.settled("c");
  expect(calls).toMatchObject([{ answer: null, error: { type: "timeout" } }]);
});
