import type { JsonValue } from "../../model/json.ts";
import { readToolSpan, type ToolSpan } from "../calls/tool-span.ts";
import { above, isAgent } from "../calls/tree.ts";
import { F } from "../facts/fields.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import { argumentsKey } from "../notations/arguments.ts";
import { plainName } from "../notations/names.ts";

/** One execution of a tool: its span, and spans of other layers for the same execution. */
export class ToolExecution {
  /** Spans of the execution, outermost first. */
  readonly nodes: [SpanFacts, ...SpanFacts[]];
  name: string | null;
  callId: string | null;
  arguments: JsonValue | undefined;
  result: JsonValue | undefined;
  error: string | null;
  isResultEmpty: boolean;
  readonly start: number;
  #signature: string | null = null;

  constructor(node: SpanFacts, toolSpan: ToolSpan) {
    this.nodes = [node];
    this.name = toolSpan.name;
    this.callId = toolSpan.callId;
    this.arguments = toolSpan.arguments;
    this.result = toolSpan.result;
    this.error = toolSpan.error;
    this.isResultEmpty = toolSpan.isResultEmpty;
    this.start = node.start;
  }

  get node(): SpanFacts {
    return this.nodes[0];
  }

  get end(): number {
    return this.nodes[0].end;
  }

  get signature(): string {
    return (this.#signature ??= argumentsKey(this.arguments));
  }

  /**
   * Replaces name, arguments and result by those of an inner span. Used if only the inner span is declared as a tool, because the enclosing
   * span's role is only inferred.
   */
  lead({ plan }: SpanFacts, toolSpan: ToolSpan): void {
    this.name = toolSpan.name ?? this.name;
    if (toolSpan.arguments !== undefined && plan.hasField(F.arguments)) this.arguments = toolSpan.arguments;
    if (toolSpan.result !== undefined && plan.hasField(F.result)) this.result = toolSpan.result;
  }

  /**
   * Adds a span of another layer, and fills in missing fields from it. If the step around the tool failed and has another name, the tool's
   * own success takes precedence (precedence 4).
   */
  add(node: SpanFacts, toolSpan: ToolSpan): void {
    const hadResult = this.result !== undefined;
    this.nodes.push(node);
    // A log record on this span may be that of another tool, for example one of a sub-agent that the execution started.
    const recorded = toolSpan.name === null ? node.nthRaw(F.tool, 1) : undefined;
    if (typeof recorded === "string" && !isSameName(recorded, this.name ?? "")) return;
    this.name ??= toolSpan.name;
    this.callId ??= toolSpan.callId;
    this.arguments ??= toolSpan.arguments;
    this.result ??= toolSpan.result;
    this.isResultEmpty ||= toolSpan.isResultEmpty;
    const isItsWords =
      typeof this.result === "string" && toolSpan.error !== null && this.result.includes(toolSpan.error);
    const isOfSameName =
      this.name !== null && toolSpan.name !== null && plainName(this.name) === plainName(toolSpan.name);
    if (!hadResult || isItsWords || isOfSameName) this.error ??= toolSpan.error;
  }
}

const MOST_COMPARED = 1000;
/** Matches a server's or plugin's name before a tool's: `mcp__store__get_stock`, `store.get_stock`. */
const prefixed = /^.+(?:__|[.:/-])(.+)$/;

/**
 * Merges the spans of each execution. Nested tool spans, without an agent or model call between them, are one execution (`isSameExecution`)
 * in these cases:
 * - If only the inner span is declared as a tool: it is the outer span's only child, or the outer span has no name.
 * - Otherwise: one of the two has no name, or their names agree.
 * A span at the execution's time that has only the tool's name also belongs to the execution (`withoutMirrors`).
 *
 * @param tools - The tool spans, ordered by start.
 */
export function toolExecutions(tools: readonly SpanFacts[]): ToolExecution[] {
  const executions: ToolExecution[] = [];
  const byNode = new Map<SpanFacts, ToolExecution>();
  for (const node of tools) {
    const toolSpan = readToolSpan(node);
    const outer = outerTool(node);
    const known = outer === null ? undefined : byNode.get(outer);
    if (known !== undefined && outer !== null && isSameExecution(known, outer, node, toolSpan)) {
      // An undeclared tool span around a declared tool span is not a tool: its name is the name of a step.
      if (outer.isRoleInferred && !node.isRoleInferred) known.lead(node, toolSpan);
      known.add(node, toolSpan);
      byNode.set(node, known);
      continue;
    }
    const execution = beganBefore(toolSpan, node, executions) ?? new ToolExecution(node, toolSpan);
    if (execution.node === node) executions.push(execution);
    else execution.add(node, toolSpan);
    byNode.set(node, execution);
  }
  return tools.length > 1 && tools.length <= MOST_COMPARED ? withoutMirrors(executions) : executions;
}

/**
 * Returns the execution whose begin a coding agent's hook reported, if this span is the hook's report of the end without a call id: the
 * first one of the same tool, arguments and conversation that has no end. Undefined for other spans.
 */
function beganBefore(
  { name, callId, arguments: args }: ToolSpan,
  { span, conversation }: SpanFacts,
  executions: readonly ToolExecution[],
): ToolExecution | undefined {
  if (callId !== null || executions.length > MOST_COMPARED || !/PostToolUse(?:Failure)?$/.test(span.name))
    return undefined;
  const signature = argumentsKey(args);
  return executions.find(
    (one) =>
      one.nodes.length === 1 &&
      one.node.span.name.endsWith("PreToolUse") &&
      one.name === name &&
      one.signature === signature &&
      one.node.conversation === conversation,
  );
}

/** Returns the enclosing tool span within the same agent and model call; null if there is none. */
function outerTool(node: SpanFacts): SpanFacts | null {
  for (let at = node.parent; at !== null; at = at.parent) {
    if (at.role === "tool") return at;
    if (at.role === "agent" || at.role === "call") return null;
  }
  return null;
}

function isSameExecution(
  known: ToolExecution,
  outer: SpanFacts,
  node: SpanFacts,
  toolSpan: ToolSpan,
): boolean {
  if (outer.isRoleInferred && !node.isRoleInferred) return outer.children.length === 1 || known.name === null;
  return known.name === null || toolSpan.name === null || isSameName(known.name, toolSpan.name);
}

function isSameName(name: string, other: string): boolean {
  const [a, b] = [plainName(name), plainName(other)];
  return a.endsWith(b) || b.endsWith(a);
}

/**
 * Merges each execution that has only a name into the execution of another layer at the same time, at most one into each. Example: the span
 * `tools/call get_stock` of an MCP client, during `mcp__store__get_stock`.
 */
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
        isAtSameTime(one, execution) &&
        isLayerOf(execution.name ?? "", one.name ?? ""),
    );
    if (other === undefined) return true;
    mirrored.add(other);
    other.nodes.push(execution.node);
    // The enclosing layer has the outcome that the caller got.
    if (execution.start < other.start || execution.end > other.end) other.error ??= execution.error;
    return false;
  });
}

/**
 * Whether an execution (`layer`) may be a copy of `one` by its time: it lies within the time of `one`. If another instrumentation wrote it,
 * it may also enclose `one`, but only within the same agent, because the sub-agent of a tool may call a tool with the same name. Within one
 * instrumentation, a span that has only a name may be another call, which has no result because it failed.
 */
function isAtSameTime(one: ToolExecution, layer: ToolExecution): boolean {
  const isWithin = one.start <= layer.start && one.end >= layer.end;
  if (one.node.span.scopeName === layer.node.span.scopeName) return isWithin && layer.error === null;
  if (isWithin) return true;
  const isAround = layer.start <= one.start && layer.end >= one.end;
  const isSame = plainName(one.name ?? "") === plainName(layer.name ?? "");
  return isAround && isSame && above(one.node, isAgent) === above(layer.node, isAgent);
}

function isLayerOf(bare: string, name: string): boolean {
  return bare === name || prefixed.exec(name)?.[1] === bare || plainName(bare) === plainName(name);
}

/** Whether an execution has one span, which has the tool's name and no other field of the call. */
function isBare({ nodes, name, callId, arguments: args, result }: ToolExecution): boolean {
  return nodes.length === 1 && name !== null && callId === null && args === undefined && result === undefined;
}
