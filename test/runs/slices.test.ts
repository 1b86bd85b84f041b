import { expect, test } from "vitest";
import { adapters } from "../../adapters/index.ts";
import type { Trace } from "../../src/assemble/trace.ts";
import type { Fragment } from "../../src/runs/fragment.ts";
import { FragmentReader } from "../../src/runs/fragment-reader.ts";
import { sessionDocument, sessionRecord } from "../support/session-records.ts";
import { tracesOf } from "../support/runs.ts";
import { document, span } from "../support/otlp.ts";

/** The only trace of a document. */
function traceOf(sent: object): Trace {
  const [trace] = tracesOf([sent]);
  if (trace === undefined) throw new Error("no trace");
  return trace;
}

/** One session: prompts and requests by turns. */
function sessionOf(records: number): Trace {
  const logRecords = Array.from({ length: records }, (_, at) =>
    at % 2 === 0
      ? sessionRecord("user_prompt", at, { prompt: `question ${at}` })
      : sessionRecord("api_request", at, { model: "m", input_tokens: at }),
  );
  return traceOf(sessionDocument(logRecords));
}

const shape = (fragments: readonly Fragment[] | undefined) =>
  fragments?.map(({ root, prompt, calls }) => [
    root.span.spanId,
    prompt,
    calls.map(({ node }) => node.span.spanId),
  ]);

test("a session of log records is read in slices, and gives the same runs as reading at once", () => {
  const reader = new FragmentReader(adapters);
  const trace = sessionOf(400);
  const reading = reader.begin(trace);
  let slices = 1;
  let fragments = reading.next(50);
  for (; fragments === undefined; fragments = reading.next(50)) slices++;

  expect(slices).toBeGreaterThan(20);
  expect(fragments.length).toBe(200);
  expect(shape(fragments)).toEqual(shape(reader.read(trace)));
});

test.each([false, true])(
  "the calls of a trace of 5,000 calls are read in several slices; nested: %s",
  (isNested) => {
    const call = { "gen_ai.operation.name": "chat", "gen_ai.output.messages": "answer" };
    const spans = Array.from({ length: 5_000 }, (_, at) =>
      span(`c${at}`, isNested && at % 2 === 1 ? `c${at - 1}` : undefined, "chat", at, at + 1, call),
    );
    const trace = traceOf(document(spans));
    const reader = new FragmentReader(adapters);
    const reading = reader.begin(trace);
    let slices = 0;
    let fragments = reading.next(1e6);
    for (; fragments === undefined && slices < 100; fragments = reading.next(1e6)) slices++;
    expect(slices).toBeGreaterThanOrEqual(isNested ? 6 : 9);
    expect(shape(fragments)).toEqual(shape(reader.read(trace)));
  },
);
