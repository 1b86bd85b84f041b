import type { JsonValue } from "../../model/json.ts";
import { readToolSpan, type ToolSpan } from "../calls/tool-span.ts";
import { F } from "../facts/fields.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import { plainName } from "../notations/names.ts";
import { canonicalJson } from "./tool-names.ts";

/** One execution of a tool: its span, with those of other layers of it. */
export class ToolExecution {
  /** The outermost first. */
  readonly nodes: [SpanFacts, ...SpanFacts[]];
  name: string | null;
  callId: string | null;
  arguments: JsonValue | undefined;
  result: JsonValue | undefined;
  error: string | null;
  areArgumentsCut: boolean;
  isResultCut: boolean;
  readonly start: number;
  #signature: string | null = null;

  constructor(node: SpanFacts, said: ToolSpan) {
    this.nodes = [node];
    this.name = said.name;
    this.callId = said.callId;
    this.arguments = said.arguments;
    this.result = said.result;
    this.error = said.error;
    this.areArgumentsCut = said.areArgumentsCut;
    this.isResultCut = said.isResultCut;
    this.start = node.start;
  }

  get node(): SpanFacts {
    return this.nodes[0];
  }

  get end(): number {
    return this.nodes[0].end;
  }

  get signature(): string {
    return (this.#signature ??= canonicalJson(this.arguments));
  }

  /** Believes another span first: what only looks like a tool comes after one that is declared. */
  lead({ plan }: SpanFacts, said: ToolSpan): void {
    this.name = said.name ?? this.name;
    if (said.arguments !== undefined && plan.hasField(F.arguments)) this.arguments = said.arguments;
    if (said.result !== undefined && plan.hasField(F.result)) this.result = said.result;
  }

  /** Adds a span of another layer, which lends what this one lacks. Its own success outranks a failed step of another name (precedence 4). */
  add(node: SpanFacts, said: ToolSpan): void {
    const hadResult = this.result !== undefined;
    this.nodes.push(node);
    this.name ??= said.name;
    this.callId ??= said.callId;
    if (this.arguments === undefined) {
      this.arguments = said.arguments;
      this.areArgumentsCut ||= said.areArgumentsCut;
    }
    if (this.result === undefined) {
      this.result = said.result;
      this.isResultCut ||= said.isResultCut;
    }
    const isItsWords =
      typeof this.result === "string" && said.error !== null && this.result.includes(said.error);
    const isOfSameName =
      this.name !== null && said.name !== null && plainName(this.name) === plainName(said.name);
    if (!hadResult || isItsWords || isOfSameName) this.error ??= said.error;
  }
}

const MOST_COMPARED = 1000;
/** A server's or plugin's name before a tool's: `mcp__store__get_stock`, `store.get_stock`. */
const prefixed = /^.+(?:__|[.:/-])(.+)$/;

/**
 * The executions of a run's tools. A tool's span within one of the same name, or where one of the two says less than the other could, is the
 * same execution; so is a bare span of the layer below that stands beside it. `tools`: spans of tools, by start.
 */
export function toolExecutions(tools: readonly SpanFacts[]): ToolExecution[] {
  const executions: ToolExecution[] = [];
  const byNode = new Map<SpanFacts, ToolExecution>();
  for (const node of tools) {
    const said = readToolSpan(node);
    const outer = outerTool(node);
    const known = outer === null ? undefined : byNode.get(outer);
    if (known !== undefined && outer !== null && isSameExecution(known, outer, node, said)) {
      // What only looks like a tool is none where a declared one lies within: its name is some step's.
      if (outer.isRoleInferred && !node.isRoleInferred) known.lead(node, said);
      known.add(node, said);
      byNode.set(node, known);
      continue;
    }
    const execution = new ToolExecution(node, said);
    executions.push(execution);
    byNode.set(node, execution);
  }
  return tools.length > 1 && tools.length <= MOST_COMPARED ? withoutMirrors(executions) : executions;
}

/** The tool's span around another, within the same agent's and model's work; null for none. */
function outerTool(node: SpanFacts): SpanFacts | null {
  for (let at = node.parent; at !== null; at = at.parent) {
    if (at.role === "tool") return at;
    if (at.role === "agent" || at.role === "call") return null;
  }
  return null;
}

function isSameExecution(known: ToolExecution, outer: SpanFacts, node: SpanFacts, said: ToolSpan): boolean {
  if (outer.isRoleInferred && !node.isRoleInferred) return outer.children.length === 1 || known.name === null;
  if (known.name === null || said.name === null) return true;
  const [a, b] = [plainName(known.name), plainName(said.name)];
  return a === b || a.endsWith(b) || b.endsWith(a);
}

/** A bare `tools/call get_stock` of an MCP client during `mcp__store__get_stock` is that execution, which has one such span at most. */
function withoutMirrors(executions: readonly ToolExecution[]): ToolExecution[] {
  const mirrored = new Set<ToolExecution>();
  return executions.filter((execution) => {
    if (!isBare(execution)) return true;
    const other = executions.find(
      (one) =>
        one !== execution &&
        !mirrored.has(one) &&
        !isBare(one) &&
        one.node.span.traceId === execution.node.span.traceId &&
        one.start <= execution.start &&
        one.end >= execution.end &&
        isLayerOf(execution.name ?? "", one.name ?? ""),
    );
    if (other === undefined) return true;
    mirrored.add(other);
    other.nodes.push(execution.node);
    return false;
  });
}

function isLayerOf(bare: string, name: string): boolean {
  return bare === name || prefixed.exec(name)?.[1] === bare || plainName(bare) === plainName(name);
}

/** One span that names a tool and says nothing else of the call. */
function isBare({ nodes, name, callId, arguments: args, result }: ToolExecution): boolean {
  return nodes.length === 1 && name !== null && callId === null && args === undefined && result === undefined;
}
