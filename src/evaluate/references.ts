import type { CheckContext } from "./check.ts";
import type { ComparedCall } from "./metrics/tool-call-accuracy.ts";
import type { ExpectedStep } from "./metrics/progress.ts";
import type { Finding, NoReference, Reference } from "./check.ts";
import { incomplete, skip } from "./finding.ts";

type Settings = CheckContext["settings"];

/** What a reference measure compares the run with: the spec's own list, else the baseline's. */
export interface ReferenceTools {
  readonly names: readonly string[];
  /** For messages: "expected_tools", "baseline v2". */
  readonly from: string;
}

/** The tools that recall and precision are measured against; undefined when neither spec nor baseline names any. */
export function expectedTools(context: CheckContext): ReferenceTools | undefined {
  return fromSpec(context.settings, "expected_tools") ?? fromBaseline(context.reference);
}

/** The sequence that match modes and similarities are measured against. */
export function expectedSequence(context: CheckContext): ReferenceTools | undefined {
  return fromSpec(context.settings, "expected_tool_sequence") ?? fromBaseline(context.reference);
}

function fromSpec(settings: Settings, key: string): ReferenceTools | undefined {
  const names = settings[key];
  return Array.isArray(names) ? { names: names as readonly string[], from: key } : undefined;
}

function fromBaseline(reference: Reference | NoReference): ReferenceTools | undefined {
  if ("missing" in reference) return undefined;
  return { names: reference.tools, from: `baseline ${reference.version}` };
}

/** `expected_tool_calls` as written; null when it is not. */
export function expectedCalls(settings: Settings): readonly ComparedCall[] | null {
  const calls = settings["expected_tool_calls"];
  return Array.isArray(calls) ? (calls as readonly ComparedCall[]) : null;
}

/** A step as `expected_steps` writes it. */
export type WrittenStep =
  | string
  | {
      readonly tool?: string | undefined;
      readonly agent?: string | undefined;
      readonly weight?: number | undefined;
    };

/** `expected_steps` with the weights filled in (1 by default); null when it is not written. */
export function expectedSteps(
  settings: Settings,
): readonly (ExpectedStep & { readonly agent: boolean })[] | null {
  const steps = settings["expected_steps"];
  if (!Array.isArray(steps)) return null;
  return (steps as readonly WrittenStep[]).map((step) =>
    typeof step === "string"
      ? { name: step, weight: 1, agent: false }
      : { name: step.tool ?? step.agent ?? "", weight: step.weight ?? 1, agent: step.agent !== undefined },
  );
}

/** What a check answers when it has nothing to compare with: `skip`, or `incomplete` when a baseline was asked for by name. */
export function withoutReference(context: CheckContext, needs: string): Finding {
  const { reference } = context;
  if ("missing" in reference && reference.missing === "no-file") {
    const which = reference.version === null ? "the baseline" : `baseline ${reference.version}`;
    return incomplete("reference", `${which} has no run of this query to compare with`, context.run.dialects);
  }
  return skip(`nothing to compare with: no ${needs} in the spec, no baseline asked for`);
}
