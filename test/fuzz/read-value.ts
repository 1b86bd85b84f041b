import { adapters } from "../../adapters/index.ts";
import { parseJson } from "../../src/model/json.ts";
import { extractJson } from "../../src/evaluate/judge/reply/extract-json.ts";
import { runJson } from "../../src/report/json/run-json.ts";
import { canonicalJson } from "../../src/support/structures/canonical-json.ts";
import { redactRun } from "../../src/support/redact/redact-run.ts";
import { Redactor } from "../../src/support/redact/redactor.ts";
import { document, event, log, logDocument, span } from "../support/otlp.ts";
import { runsIn } from "../support/runs.ts";
import { below, oneOf, type Random } from "./chance.ts";
import { Finding } from "./finding.ts";

const MIB = 2 ** 20;
const redactor = new Redactor({
  keys: ["password"],
  patterns: [],
  detectors: ["keys", "emails"],
});
const operations = ["invoke_agent", "chat", "execute_tool", "handoff", "retrieval"] as const;
const declared = adapters.flatMap(({ fields }) => Object.values(fields ?? {}).flat());
const usual = [
  "gen_ai.tool.call.result",
  "gen_ai.tool.call.arguments",
  "gen_ai.input.messages",
  "gen_ai.output.messages",
  "input.value",
  "output.value",
  "acme.said",
] as const;

/** The same text in places where values are read: attributes that adapters name, events, log records, errors. */
export interface PlacedText {
  readonly text: string;
  readonly spans: readonly Record<string, unknown>[];
  readonly logs: readonly Record<string, unknown>[];
}

export function placeText(text: string, random: Random): PlacedText {
  const key = (): string =>
    random() < 0.5
      ? oneOf(usual, random)
      : (declared[below(declared.length, random)] ?? "a").replace("*", "0");
  const attributes = (): Record<string, string> => ({
    "gen_ai.operation.name": oneOf(operations, random),
    "gen_ai.tool.name": "t",
    "gen_ai.request.model": "gpt-4o",
    [key()]: text,
  });
  const more =
    random() < 0.3
      ? { status: { code: 2, message: text }, events: [event("exception", { "exception.message": text })] }
      : { events: random() < 0.3 ? [event("gen_ai.choice", { [key()]: text, content: text })] : [] };
  return {
    text,
    spans: [
      span("a", undefined, "invoke_agent a", 0, 10, { ...attributes(), "gen_ai.agent.name": "a" }, more),
      span("b", "a", "work", 1, 5, attributes()),
      span("c", "a", "work", 6, 9, attributes()),
    ],
    logs: random() < 0.3 ? [log("b", "gen_ai.choice", text, { [key()]: text })] : [],
  };
}

/**
 * Reads what texts hold, as a run's reader, a judge's reply and a report do.
 * @throws Finding when it takes more than a second for a megabyte; whatever a reader throws
 */
export function readValue({ text, spans, logs }: PlacedText): number {
  const begun = process.cpuUsage();
  canonicalJson(parseJson(text) ?? text);
  JSON.stringify(extractJson(text));
  const runs = runsIn([document(spans), logDocument(logs)]);
  for (const run of runs) JSON.stringify(runJson(redactRun(run, redactor), true));
  const { user, system } = process.cpuUsage(begun);
  const tookMs = (user + system) / 1000;
  const bytes = JSON.stringify(spans).length + JSON.stringify(logs).length;
  if (tookMs > 1000 * Math.max(1, bytes / MIB)) throw new Finding(`took ${Math.round(tookMs)} ms`);
  return runs.length;
}
