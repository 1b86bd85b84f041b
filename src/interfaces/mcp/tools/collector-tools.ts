import { z } from "zod";
import { documentBounds, isObject, type JsonObject, type JsonValue, parseJson } from "../../../model/json.ts";
import { outcomes } from "../../../model/outcome.ts";
import { verdictText } from "../../../report/render/terminal/console.ts";
import { plainTheme } from "../../../report/render/terminal/printable.ts";
import { verdictSchema } from "../../../report/json/verdict-schema.ts";
import type { Collector } from "../collector.ts";
import { defineTool, type Tool, ToolError } from "../tool.ts";

const text = z.string().min(1).max(1000);

/** Returns the tools that read verdicts and runs from a running collector. */
export function collectorTools(collector: Collector): readonly Tool[] {
  return [
    defineTool({
      name: "list_verdicts",
      title: "List verdicts",
      description:
        "Verdicts of the running collector, newest first: the outcome of each layer, and the problems.",
      input: {
        outcome: z.enum(outcomes).describe("Only verdicts with this outcome").optional(),
        agent: text.describe("Only verdicts of this agent").optional(),
        query: text.describe("Only verdicts of the query with this id").optional(),
        limit: z.int().min(1).max(100).default(20),
        cursor: text.describe("`next` of the previous page").optional(),
      },
      run: async (filter) => {
        const parameters = Object.entries(filter).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, String(value)] as const],
        );
        const answer = parsed(await collector.get("/api/v1/verdicts", Object.fromEntries(parameters)));
        const verdicts = Array.isArray(answer["verdicts"]) ? answer["verdicts"] : [];
        return JSON.stringify({ verdicts: verdicts.map(listed), next: answer["next"] ?? null }, null, 1);
      },
    }),
    defineTool({
      name: "explain_verdict",
      title: "Explain a verdict",
      description:
        "The reasons of one verdict: each check of the three layers with its finding, its line in the spec, and what " +
        "to do about missing evidence.",
      input: {
        verdict_id: text,
        revision: z.int().min(1).describe("Default: the newest revision").optional(),
      },
      run: async ({ verdict_id: id, revision }) => {
        const answer = await collector.get(
          `/api/v1/verdicts/${encodeURIComponent(id)}`,
          revision === undefined ? {} : { revision: String(revision) },
        );
        const read = verdictSchema.safeParse(parsed(answer));
        if (!read.success)
          throw new ToolError(
            "this server cannot read the verdict, because the collector has another version",
          );
        return verdictText(read.data, plainTheme);
      },
    }),
    defineTool({
      name: "get_run",
      title: "Fetch a run",
      description:
        "One run as the collector assembled it: query, answer, tools with arguments and results, hand-offs, model calls, tokens, cost.",
      input: { run_id: text },
      run: async ({ run_id: id }) => {
        const { verdicts: _, ...run } = parsed(await collector.get(`/api/v1/runs/${encodeURIComponent(id)}`));
        return JSON.stringify(run, null, 1);
      },
    }),
  ];
}

function listed(verdict: JsonValue): JsonValue {
  const read = verdictSchema.safeParse(verdict);
  if (!read.success) return verdict;
  const { verdict_id, run_id, agent, query_id, query, outcome, layers } = read.data;
  const troubles = Object.values(layers).flatMap(({ checks }) =>
    checks
      .filter((check) => check.outcome !== "pass" && check.outcome !== "skip")
      .map((check) => `${check.check}: ${check.message}`),
  );
  const byLayer = Object.fromEntries(Object.entries(layers).map(([name, layer]) => [name, layer.outcome]));
  return { verdict_id, run_id, agent, query_id, query, outcome, layers: byLayer, troubles };
}

function parsed(answer: string): JsonObject {
  const value = parseJson(answer, documentBounds);
  if (!isObject(value))
    throw new ToolError("the server is not a Tracejury collector: its response is not a JSON object");
  return value;
}
