import type { JsonValue } from "../../model/json.ts";
import type { AgentRun } from "../../model/run.ts";
import type { Verdict } from "../../model/verdict.ts";
import { type Attributes, type AttributeValue, bounded } from "./attribute.ts";

const mostRunAttributes = 64;
const longestRunAttribute = 1024;

/**
 * Attribute names with a meaning in exported verdicts. Attributes with these names are not copied from the run, so that a run cannot
 * pretend to be judged.
 */
const reserved =
  /^(gen_ai\.(evaluation|response|agent|conversation|operation)\.|error\.|test\.|openinference\.span\.kind$|langfuse\.observation\.type$|tracejury\.(verdict|layer|check|spec|query|run|revision|evaluator|price)(\.|$))/;

/** Returns the attributes that all records of a verdict have: run, spec, query and revision. */
export function commonAttributes(verdict: Verdict): Attributes {
  const { run } = verdict;
  const attributes = new Map<string, AttributeValue>();
  const text = (name: string, value: string | null): void => {
    if (value !== null) attributes.set(name, bounded(value, longestRunAttribute));
  };
  text("gen_ai.agent.name", run.agent);
  text("gen_ai.agent.id", textOf(run, "gen_ai.agent.id"));
  text("gen_ai.agent.version", textOf(run, "gen_ai.agent.version"));
  text("gen_ai.conversation.id", run.conversationId);
  text("test.suite.name", verdict.spec);
  text("test.case.name", verdict.queryId);
  text("tracejury.verdict.id", verdict.verdictId);
  text("tracejury.spec.name", verdict.spec);
  text("tracejury.spec.hash", verdict.provenance.specHash);
  text("tracejury.query.id", verdict.queryId);
  text("tracejury.run.id", run.runId);
  attributes.set("tracejury.run.complete", run.complete);
  text("tracejury.run.close_reason", run.closeReason);
  attributes.set("tracejury.revision", BigInt(verdict.revision));
  text("tracejury.price.source", run.priceSource);
  addRunAttributes(run, attributes);
  return attributes;
}

function textOf(run: AgentRun, name: string): string | null {
  const value = run.attributes.get(name);
  return typeof value === "string" ? value : null;
}

function addRunAttributes(run: AgentRun, into: Map<string, AttributeValue>): void {
  let added = 0;
  for (const [name, value] of run.attributes) {
    if (reserved.test(name) || into.has(name)) continue;
    const attribute = attributeOf(value);
    if (attribute === undefined) continue;
    if (++added > mostRunAttributes) return;
    into.set(name, attribute);
  }
}

function attributeOf(value: JsonValue): AttributeValue | undefined {
  if (value === null) return undefined;
  if (typeof value === "string") return bounded(value, longestRunAttribute);
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value === "boolean") return value;
  return bounded(JSON.stringify(value), longestRunAttribute);
}
