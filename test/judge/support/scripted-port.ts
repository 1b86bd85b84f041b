import type { JudgePort, JudgeReply, JudgeRequest } from "../../../src/evaluate/judge/ask/port.ts";
import { failed } from "../../../src/evaluate/judge/ask/port.ts";
import type { JsonValue } from "../../../src/model/json.ts";

/** A reply that carries the JSON, with plausible usage. */
export function replied(json: JsonValue): JudgeReply {
  const usage = { input: 100, output: 20, cached: null };
  return { ok: true, json, usage, durationMs: 7, cached: false, cutOff: false };
}

/** What a judge of a rubric says. */
export function said(
  score: number,
  label = score >= 4 ? "pass" : "fail",
  more: Readonly<Record<string, JsonValue>> = {},
): JsonValue {
  return { score, label, rationale: `because ${score}`, ...more };
}

export interface ScriptedPort extends JudgePort {
  readonly asked: readonly JudgeRequest[];
}

/** A port that answers from a function and remembers what it was asked. A string in place of a reply is an error message. */
export function scriptedPort(
  answer: (request: JudgeRequest, n: number) => JudgeReply | string,
): ScriptedPort {
  const asked: JudgeRequest[] = [];
  return {
    asked,
    unavailable: () => null,
    ask: (request) => {
      asked.push(request);
      const reply = answer(request, asked.length - 1);
      return Promise.resolve(typeof reply === "string" ? failed("server_error", reply) : reply);
    },
  };
}
