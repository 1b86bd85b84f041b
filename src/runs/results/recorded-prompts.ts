import type { Trace } from "../../assemble/trace.ts";
import type { LogView } from "../../model/telemetry/span-view.ts";
import { remembered } from "../../support/structures/bounded-memo.ts";
import type { LlmCall } from "../calls/llm-call.ts";
import { nameOfRecord } from "../facts/events.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import { isPlaceholder } from "../notations/names.ts";
import { ruleIsOn } from "../rules.ts";

const isPromptRecord = remembered((name: string) => /(?:^|[._])user_?prompt$/i.test(name));
const attributes = ["prompt", "prompt_text", "user_prompt"];
const MOST_PROMPTS = 1000;

interface Prompt {
  readonly text: string;
  readonly atMs: number;
  isTaken: boolean;
}

/** User prompts from the log records of a trace, without a harness's additions. */
export class RecordedPrompts {
  readonly #prompts: Prompt[] = [];

  constructor({ uncorrelatedLogs }: Trace, all: readonly SpanFacts[]) {
    if (!ruleIsOn("recorded-prompts")) return;
    for (const { span } of all) if (span.logs.length > 0) this.#addAll(span.logs);
    if (uncorrelatedLogs.length > 0) this.#addAll(uncorrelatedLogs);
    this.#prompts.sort((a, b) => a.atMs - b.atMs);
  }

  /**
   * Returns the last prompt before the first model call of a run. Null if there is none, or if it was returned for an earlier run. Call it
   * for the runs in order of their starts.
   */
  takeFor(calls: readonly LlmCall[], endMs: number): string | null {
    if (this.#prompts.length === 0) return null;
    const until = calls[0]?.start ?? endMs;
    const found = this.#prompts.findLast(({ atMs }) => atMs <= until);
    if (found === undefined || found.isTaken) return null;
    found.isTaken = true;
    return found.text;
  }

  #addAll(logs: readonly LogView[]): void {
    for (const log of logs) {
      if (this.#prompts.length >= MOST_PROMPTS) return;
      if (!isPromptRecord(nameOfRecord(log))) continue;
      const text = promptIn(log);
      if (text !== null) this.#prompts.push({ text, atMs: log.timeUnixMs, isTaken: false });
    }
  }
}

/** Text of the prompt in a log record; null if absent. */
function promptIn(log: LogView): string | null {
  for (const name of attributes) {
    const value = log.named(name);
    if (typeof value === "string" && value.trim() !== "" && !isPlaceholder(value)) return value;
  }
  return null;
}
