import { noBaselineChosen } from "../../model/not-judged.ts";
import { derivedOnce } from "../../support/structures/bounded-memo.ts";
import type { CheckContext, Finding, NoReference, Reference, CheckSettings } from "../checks/check.ts";
import { incomplete, skip } from "../result/finding.ts";
import { sequenceSimilarity } from "../metrics/sequences/sequence-similarity.ts";
import { visibleName } from "./fold-name.ts";
import type { ExpectedStep } from "../metrics/progress.ts";
import type { Alignment } from "../metrics/strategic-drift.ts";
import type { ComparedCall } from "../metrics/tool-call-accuracy.ts";

type Settings = CheckContext["settings"];

/** Expected tools: a list of the spec, otherwise the baseline's tools. */
export interface ReferenceTools {
  readonly names: readonly string[];
  /** Source of the tools, for messages: "expected_tools" or "baseline v2". */
  readonly from: string;
}

export interface WrittenStep extends ExpectedStep, Alignment {
  /** Key with which the spec declares the step; undefined for a step that can be a tool or an agent. */
  readonly kind: "tool" | "agent" | undefined;
}

/**
 * Returns the accepted sequence that is most similar to the run's sequence; the first of several equally similar ones. If tool calls or
 * names are unknown, returns the first accepted sequence. Undefined without accepted sequences.
 */
export function closestSequence(
  { metrics }: CheckContext,
  accepted: readonly ReferenceTools[],
): ReferenceTools | undefined {
  const names = metrics.knownNames;
  if (names === null || accepted.length < 2) return accepted[0];
  let best = accepted[0];
  let most = -1;
  for (const candidate of accepted) {
    const similarity = sequenceSimilarity(names, candidate.names);
    if (similarity > most) [best, most] = [candidate, similarity];
  }
  return best;
}

/** Returns the `accepted_tool_sequences` of a layer. `from` names a sequence by its number. */
export function acceptedSequences(context: CheckContext): readonly ReferenceTools[] {
  return writtenIn(context.settings).accepted;
}

/** Tools and calls of a query's path layer, read once for all runs. */
interface Written {
  readonly tools: ReferenceTools | undefined;
  readonly sequence: ReferenceTools | undefined;
  readonly accepted: readonly ReferenceTools[];
  readonly calls: readonly ComparedCall[] | null;
  readonly steps: readonly WrittenStep[] | null;
  readonly course: ReadonlyMap<string, Alignment> | null;
}

const writtenIn = derivedOnce(readSettings);

function readSettings(settings: Settings): Written {
  const calls = callsOf(settings);
  const stepTexts = listOf(settings, "expected_steps") as readonly StepText[] | null;
  const steps = stepTexts?.map(stepOf) ?? null;
  return {
    tools: fromSpec(settings, "expected_tools"),
    sequence: fromSpec(settings, "expected_tool_sequence"),
    accepted: ((listOf(settings, "accepted_tool_sequences") ?? []) as readonly (readonly string[])[]).map(
      (names, at) => ({ names: names.map(visibleName), from: `accepted_tool_sequences[${at + 1}]` }),
    ),
    calls,
    steps,
    course: courseOf(settings, calls, steps),
  };
}

function callsOf(settings: Settings): readonly ComparedCall[] | null {
  const calls = listOf(settings, "expected_tool_calls") as readonly ComparedCall[] | null;
  return (
    calls?.map((call) => ({ ...call, name: call.name === null ? null : visibleName(call.name) })) ?? null
  );
}

function listOf(settings: Settings, key: string): readonly unknown[] | null {
  const list = settings[key];
  return Array.isArray(list) ? list : null;
}

function namesOf(settings: Settings, key: string): readonly string[] | null {
  return (listOf(settings, key) as readonly string[] | null)?.map(visibleName) ?? null;
}

function fromSpec(settings: Settings, key: string): ReferenceTools | undefined {
  const names = namesOf(settings, key);
  return names === null ? undefined : { names, from: key };
}

/** A step or an allowed tool, as written in the spec. */
type StepText =
  | string
  | {
      readonly tool?: string | undefined;
      readonly agent?: string | undefined;
      readonly weight?: number | undefined;
      readonly goal_alignment?: number | undefined;
    };

function stepOf(step: StepText): WrittenStep {
  if (typeof step === "string") return { name: visibleName(step), weight: 1, kind: undefined, alignment: 1 };
  const { tool, agent, weight = 1, goal_alignment: alignment = 1 } = step;
  const kind = tool === undefined ? "agent" : "tool";
  return { name: visibleName(tool ?? agent ?? ""), weight, kind, alignment };
}

/** Returns the expected and allowed tools with weight and alignment; null if the spec names no tools. */
function courseOf(
  settings: Settings,
  calls: readonly ComparedCall[] | null,
  steps: readonly WrittenStep[] | null,
): ReadonlyMap<string, Alignment> | null {
  const allowed = listOf(settings, "allowed_tools") as readonly StepText[] | null;
  const lists = [
    ...["expected_tools", "expected_tool_sequence"].map((key) => namesOf(settings, key)),
    ...((listOf(settings, "accepted_tool_sequences") ?? []) as readonly (readonly string[])[]).map((names) =>
      names.map(visibleName),
    ),
  ];
  const written = [allowed, calls, steps, ...lists];
  if (written.every((list) => list === null)) return null;
  const course = new Map<string, Alignment>();
  const names = [...lists.flatMap((list) => list ?? []), ...(calls ?? []).flatMap(({ name }) => name ?? [])];
  for (const name of names) course.set(name, { alignment: 1, weight: 1 });
  for (const { name, weight, kind, alignment } of [...(allowed ?? []).map(stepOf), ...(steps ?? [])])
    if (kind !== "agent") course.set(name, { alignment, weight });
  return course;
}

/** Returns the `expected_tools` of the layer; undefined if the key is absent. */
export function writtenTools(settings: CheckSettings): ReferenceTools | undefined {
  const names = settings.beside("expected_tools");
  return Array.isArray(names)
    ? { names: (names as readonly string[]).map(visibleName), from: "expected_tools" }
    : undefined;
}

/** Returns the expected tools for recall and precision: from the spec, otherwise from the baseline. Undefined if both name none. */
export function expectedTools(context: CheckContext): ReferenceTools | undefined {
  return writtenIn(context.settings).tools ?? fromBaseline(context.reference);
}

/**
 * Returns the sequence for match modes and similarities: `expected_tool_sequence`, otherwise the most
 * similar accepted sequence, otherwise the baseline's sequence.
 */
export function expectedSequence(context: CheckContext): ReferenceTools | undefined {
  const { sequence, accepted } = writtenIn(context.settings);
  return sequence ?? closestSequence(context, accepted) ?? fromBaseline(context.reference);
}

function fromBaseline(reference: Reference | NoReference): ReferenceTools | undefined {
  if ("missing" in reference || reference.tools === null) return undefined;
  return { names: reference.tools.map(visibleName), from: `baseline ${reference.version}` };
}

/** Returns the `expected_tool_calls` of the spec; null if the key is absent. */
export function expectedCalls(context: CheckContext): readonly ComparedCall[] | null {
  return writtenIn(context.settings).calls;
}

/** Returns the `expected_steps` of the spec with their weights (default 1); null if the key is absent. */
export function expectedSteps(context: CheckContext): readonly WrittenStep[] | null {
  return writtenIn(context.settings).steps;
}

/** Returns the expected and allowed tools of the spec with weight and alignment; null if the spec names no tools. */
export function toolsOnCourse(context: CheckContext): ReadonlyMap<string, Alignment> | null {
  return writtenIn(context.settings).course;
}

/**
 * Returns the finding for a missing reference: `incomplete` if a baseline was requested and lacks the query or its tools, otherwise `skip`.
 */
export function withoutReference(context: CheckContext, needs: string | null): Finding {
  const { reference } = context;
  if ("missing" in reference && reference.missing === "no-file") {
    const which = reference.version === null ? "the baseline" : `baseline ${reference.version}`;
    return incomplete("reference", `${which} has no run of this query to compare with`, context.run);
  }
  if (!("missing" in reference)) {
    const message = `baseline ${reference.version} does not record which tools its run used`;
    return incomplete("reference", message, context.run);
  }
  const written = needs === null ? "" : `no ${needs} in the spec, `;
  return skip(`nothing to compare with: ${written}${noBaselineChosen}`);
}
