import type { AgentRun, ToolCall } from "../../model/run.ts";
import type { BoundCheck } from "../query/compiled.ts";
import type { CheckContext, CompiledCheck, Finding } from "../checks/check.ts";
import { RunQuantities } from "../quantities/run-quantities.ts";
import { visibleName } from "../rules/fold-name.ts";
import { listed } from "../rules/text.ts";
import { incomplete } from "./finding.ts";

/** Maximum number of calls of which all combinations are tried. With more calls, the first calls ran, up to each of them. */
const MOST_COMBINED = 5;
const MOST_TRIED = 8;

const none: readonly CheckContext[] = [];

/**
 * Returns the contexts of the runs that may have happened instead. They differ if the telemetry does not show whether a requested tool ran:
 * in the given context, each of these tools ran.
 */
export function possibleContexts(context: CheckContext): readonly CheckContext[] {
  const { tools } = context.run;
  const open = tools.flatMap(({ executed }, at) => (executed === null ? [at] : []));
  return open.length === 0 ? none : idleSets(open).map((idle) => withIdle(context, idle));
}

/** Returns the sets of calls that may not have run, as indices. */
function idleSets(open: readonly number[]): readonly ReadonlySet<number>[] {
  if (open.length > MOST_COMBINED)
    return open.slice(0, MOST_TRIED).map((_, from) => new Set(open.slice(from)));
  const sets: Set<number>[] = [];
  for (let mask = 1; mask < 1 << open.length; mask++)
    sets.push(new Set(open.filter((_, at) => (mask & (1 << at)) !== 0)));
  return sets;
}

function withIdle(context: CheckContext, idle: ReadonlySet<number>): CheckContext {
  const tools = context.run.tools.map((call, at) => (idle.has(at) ? { ...call, executed: false } : call));
  // A proxy, because a copy would read all lazy texts of the run.
  const run = new Proxy(context.run, {
    get: (target, name): unknown => (name === "tools" ? tools : Reflect.get(target, name, target)),
  });
  return { ...context, run, metrics: new RunQuantities(run) };
}

/**
 * Returns the finding, or `incomplete` if it depends on calls of which it is unknown whether they ran. A forbidden tool that the model
 * requested stays a violation.
 * @param others result of `possibleContexts`
 */
export function unlessOpen(
  found: Finding,
  ask: CompiledCheck,
  { check }: BoundCheck,
  { run }: CheckContext,
  others: readonly CheckContext[],
): Finding {
  if (others.length === 0 || check.hard === true) return found;
  if (found.outcome !== "pass" && found.outcome !== "violated") return found;
  if (others.every((other) => ask(other).outcome === found.outcome)) return found;
  const message = `${found.message}; it is unknown whether ${namesOf(run)} ran`;
  return incomplete("tool_execution", message, run, found.value);
}

function namesOf({ tools }: AgentRun): string {
  const open = tools.filter(isOpen).map(({ name }) => (name === null ? "a tool" : visibleName(name)));
  return listed([...new Set(open)]);
}

function isOpen({ executed }: ToolCall): boolean {
  return executed === null;
}
