import { z } from "zod";
import type { CompiledQuery } from "../../evaluate/query/compiled.ts";
import { foldName } from "../../evaluate/rules/fold-name.ts";
import type { AgentRun } from "../../model/run.ts";
import type { SourcePosition } from "../../model/verdict.ts";
import { isSlip } from "../../spec/document/problems/suggest.ts";
import { definedName } from "../agreement/agreed-path.ts";
import { wordList } from "../../support/structures/word-list.ts";

/** Maximum number of runs per query whose tool definitions are read. */
const MOST_RUNS = 20;
const keysWithTools: readonly string[] = wordList(`
  expected_tools forbidden_tools expected_tool_sequence accepted_tool_sequences expected_tool_calls expected_steps
  allowed_tools
`);

const namedItem = z.object({ name: z.string().optional(), tool: z.string().optional() });

interface Seen {
  runs: number;
  readonly offered: Set<string>;
}

/** Names of the tools that the agent has, by query. */
export type OfferedTools = readonly (readonly [query: CompiledQuery, names: readonly string[]])[];

/**
 * Finds tool names in specs that are probably misspelt: the agent lacks such a tool, but has a tool with a
 * similar name.
 */
export class MisspeltTools {
  readonly #seen = new Map<CompiledQuery, Seen>();

  add(run: AgentRun, queries: readonly CompiledQuery[]): void {
    for (const query of queries) {
      const seen = this.#seenOf(query);
      if (seen.runs >= MOST_RUNS) continue;
      const { toolDefinitions } = run;
      if (toolDefinitions === null || toolDefinitions.length === 0) continue;
      seen.runs += 1;
      for (const name of toolDefinitions.flatMap(definedName)) seen.offered.add(name);
      for (const { name } of run.tools) if (name !== null) seen.offered.add(name);
      for (const { tool, to } of run.handoffs) seen.offered.add(tool ?? to);
    }
  }

  #seenOf(query: CompiledQuery): Seen {
    const seen = this.#seen.get(query) ?? { runs: 0, offered: new Set<string>() };
    this.#seen.set(query, seen);
    return seen;
  }

  get offered(): OfferedTools {
    return [...this.#seen].map(([query, { offered }]) => [query, [...offered]]);
  }

  /** Adds the tools that another thread has found. */
  takeOver(offered: OfferedTools): void {
    for (const [query, names] of offered) for (const name of names) this.#seenOf(query).offered.add(name);
  }

  /** Returns one line for each misspelt tool name in a spec. */
  warnings(): readonly string[] {
    const lines = [...this.#seen].flatMap(([query, { offered }]) =>
      toolNamesOf(query).flatMap(({ name, source }) => {
        const near = slipOf(name, offered);
        return near === null
          ? []
          : `${source.file}:${source.line}: the agent has no tool ${name}; did you mean ${near}?`;
      }),
    );
    return [...new Set(lines)];
  }
}

interface NamedTool {
  readonly name: string;
  readonly source: SourcePosition;
}

function toolNamesOf({ checks, turns, retrieval }: CompiledQuery): readonly NamedTool[] {
  const bound = [...checks, ...turns.flatMap((turn) => turn.checks)];
  return bound.flatMap(({ check: { key }, limit, source, itemSources }): readonly NamedTool[] => {
    const named = (names: readonly string[]): readonly NamedTool[] => names.map((name) => ({ name, source }));
    if (keysWithTools.includes(key) && Array.isArray(limit))
      return limit.flatMap((item: unknown, at) =>
        namesIn(item).map((name) => ({ name, source: itemSources[at] ?? source })),
      );
    if (key === "tool_budgets") return named(Object.keys(limit as object));
    if (key === "spans") return named(toolOfAssertion(limit));
    return key.startsWith("retrieval.") && retrieval?.tool !== undefined ? named([retrieval.tool]) : [];
  });
}

const toolAssertion = z.object({ kind: z.enum(["tool", "TOOL"]), name: z.string() });

/** Returns the tool of an assertion in `spans`; an empty list for an assertion about other steps. */
function toolOfAssertion(assertion: unknown): readonly string[] {
  const parsed = toolAssertion.safeParse(assertion);
  return parsed.success ? [parsed.data.name] : [];
}

function namesIn(item: unknown): readonly string[] {
  if (Array.isArray(item)) return item.flatMap(namesIn);
  const name = nameIn(item);
  return name === null ? [] : [name];
}

function nameIn(item: unknown): string | null {
  if (typeof item === "string") return item;
  const parsed = namedItem.safeParse(item);
  return parsed.success ? (parsed.data.name ?? parsed.data.tool ?? null) : null;
}

/**
 * Returns the offered tool of which `name` is a misspelling. Returns null if a tool has this name, if no tool
 * has a similar name, or if `name` is a pattern.
 */
export function slipOf(name: string, offered: ReadonlySet<string>): string | null {
  const folded = [...offered].map(foldName);
  if (offered.size === 0 || folded.includes(foldName(name)) || /[*?[\]]/.test(name)) return null;
  for (const other of offered) if (isSlip(name, other)) return other;
  return null;
}
