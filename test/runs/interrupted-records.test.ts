import { expect, test } from "vitest";
import { recordingsBelow, requestsOf } from "../../bench/data/real/recordings.ts";
import type { AgentRun } from "../../src/model/run.ts";
import { replayedRuns } from "../long/runs/assemble.ts";
import { asJson, type LooseRecord, recordsOf, requestOf } from "../long/runs/records.ts";
import { replayed } from "../support/replayed.ts";
import { log } from "../support/otlp.ts";
import { responseRecord, sessionDocument, sessionRecord, toolRecord } from "../support/session-records.ts";

/*
 * A session's log records end when the process does, also if the process was killed. Recorded sessions are read again without their last
 * records: a run that lacks a model call must not claim that it succeeded, unless its last call has a text.
 */

const sessions = recordingsBelow(["test/fixtures/recordings"]).filter(({ files }) =>
  files.every((file) => file.endsWith("logs.jsonl")),
);

function timeOf({ record }: LooseRecord): bigint {
  const times = [record["timeUnixNano"], record["observedTimeUnixNano"]];
  return BigInt(times.find((time) => typeof time === "string" && time !== "0") as string);
}

function runsOf(records: readonly LooseRecord[]): AgentRun[] {
  return replayedRuns(records.map((record) => asJson(requestOf(record))));
}

/** Whether the record reports the tokens of an answer, and thus the end of a model call. */
const endsCall = ({ record }: LooseRecord): boolean =>
  /"[\w.]*output_tokens?(?:_count)?"/.test(JSON.stringify(record));

/** The ends of model calls after which a run claims success, although a later call of this run is missing and no text is there. */
function falselyOk(records: readonly LooseRecord[]): readonly number[] {
  const whole = runsOf(records);
  return records.flatMap((last, at) => {
    if (!endsCall(last)) return [];
    const isFalse = runsOf(records.slice(0, at + 1)).some(
      ({ status, answer, llm }, place) =>
        status === "ok" && answer === null && llm.length < (whole[place]?.llm.length ?? 0),
    );
    return isFalse ? [at] : [];
  });
}

test("a recorded session that was interrupted after a tool request is no success", () => {
  expect(sessions.length).toBeGreaterThan(15);
  const wrong = sessions.map((recording) => {
    const records = requestsOf(recording).flatMap(recordsOf);
    const sorted = records.sort((a, b) => (timeOf(a) < timeOf(b) ? -1 : timeOf(a) > timeOf(b) ? 1 : 0));
    return [recording.name, falselyOk(sorted)] as const;
  });
  expect(wrong.filter(([, prefixes]) => prefixes.length > 0)).toEqual([]);
});

const prompt = sessionRecord("coder.user_prompt", 0, { prompt: "How long are the notes?" });

test("a session whose last call has neither text nor finish reason has an unknown status, and is judged", async () => {
  const [run] = await replayed(sessionDocument([prompt, responseRecord(20, 100, 8)]));
  expect(run).toMatchObject({ status: null, complete: true, answer: null, llmCalls: 1 });
  expect(run?.missing.filter(({ what }) => what === "end")).toHaveLength(1);
});

test("a session that ends with a tool has one entry about its end", async () => {
  const [run] = await replayed(sessionDocument([prompt, responseRecord(20, 100, 8), toolRecord(40)]));
  expect(run).toMatchObject({ status: null, complete: false });
  expect(run?.missing.filter(({ what }) => what === "end")).toHaveLength(1);
});

/** The same record, in a trace that has no spans. */
const tracedPrompt = log("p", undefined, "", {
  "event.name": "coder.user_prompt",
  "session.id": "s1",
  prompt: "How long are the notes?",
});

test("a prompt in a trace of its own is the query of the session's work, which names no trace", async () => {
  const answer = responseRecord(20, 100, 8, { finish_reasons: ["stop"] });
  const runs = await replayed(sessionDocument([tracedPrompt]), sessionDocument([answer]));
  expect(runs).toMatchObject([{ query: "How long are the notes?", llmCalls: 1 }]);
});

test("a prompt without work is no run", async () => {
  expect(await replayed(sessionDocument([tracedPrompt]))).toEqual([]);
  expect(await replayed(sessionDocument([prompt]))).toEqual([]);
});

test("a prompt of another session is not the query", async () => {
  const runs = await replayed(
    sessionDocument([tracedPrompt]),
    sessionDocument([responseRecord(20, 100, 8, {}, "s2")]),
  );
  expect(runs).toMatchObject([{ query: null, llmCalls: 1 }]);
});
