import { isAtLeast } from "../../../../support/structures/compare-limit.ts";
import { z } from "zod";
import { writtenText } from "../../../../support/structures/json-schema.ts";
import {
  type CheckContext,
  type CheckSettings,
  defineCheck,
  defineQualifier,
  type Finding,
} from "../../check.ts";
import { fraction } from "../../limit-check.ts";
import { known, pass, violated } from "../../../result/finding.ts";
import { nearMissHint, visibleName } from "../../../rules/fold-name.ts";
import {
  type BareMode,
  bareModes,
  type PlainMode,
  plainModes,
  resolveMode,
} from "../../../metrics/match-mode.ts";
import { type Mismatch, mismatch } from "../../../metrics/mismatch.ts";
import { editSimilarity, sequenceSimilarity } from "../../../metrics/sequences/sequence-similarity.ts";
import {
  acceptedSequences,
  closestSequence,
  expectedSequence,
  withoutReference,
} from "../../../rules/references.ts";
import { together } from "../../../result/reasons.ts";
import { arrows, share } from "../../../rules/text.ts";
import { namesAsWritten, namesInPatterns } from "../../../rules/tool-names.ts";
import { allToolSpans, toolsHidden } from "./tool-evidence.ts";

const modeName = z.enum([...plainModes, ...bareModes]);
const NEEDS = "expected_tool_sequence";

/**
 * Check for AgentCI's `match_mode`. Short modes such as `subset` have the meaning that the preset defines; without a preset, AgentCI's
 * meaning.
 */
export const matchMode = defineCheck({
  key: "match_mode",
  layer: "path",
  summary: "The called tools match the reference in this mode.",
  details:
    "The reference is `expected_tool_sequence`, or else the most similar sequence of `accepted_tool_sequences`, or else the baseline. See *Modes*.",
  limit: modeName,
  prepare(limit, settings) {
    const compare = comparison(limit, settings);
    return (context) => {
      const expected = expectedSequence(context);
      return expected === undefined ? withoutReference(context, NEEDS) : compare(context, expected.names);
    };
  },
});

export const expectedToolSequence = defineCheck({
  key: "expected_tool_sequence",
  layer: "path",
  summary: "The tools were called in this sequence.",
  details: "`sequence_mode` sets the comparison. The result's `value` is the sequence of called tools.",
  limit: z.array(writtenText),
  prepare(limit, settings) {
    const compare = comparison(sequenceModeOf(settings), settings);
    const names = limit.map(visibleName);
    return (context) => happened(compare(context, names), context);
  },
});

/** Without `expected_tool_sequence`, the most similar sequence is also the reference of `match_mode` and `min_sequence_similarity`. */
export const acceptedToolSequences = defineCheck({
  key: "accepted_tool_sequences",
  layer: "path",
  summary: "The tools were called in one of these sequences.",
  details: "`sequence_mode` sets the comparison. A violation shows the most similar sequence.",
  limit: z.array(z.array(writtenText)).min(1),
  prepare(_, settings) {
    const compare = comparison(sequenceModeOf(settings), settings);
    return (context) => {
      const accepted = acceptedSequences(context);
      const tried = accepted.map((one) => ({ one, found: compare(context, one.names) }));
      const hit = tried.find(({ found }) => found.outcome !== "violated");
      const closest = closestSequence(context, accepted);
      const chosen = hit ?? tried.find(({ one }) => one === closest) ?? tried[0];
      if (chosen === undefined) return withoutReference(context, NEEDS);
      const { one, found } = chosen;
      return happened({ ...found, message: `${one.from}: ${found.message}` }, context);
    };
  },
});

export const sequenceMode = defineQualifier({
  key: "sequence_mode",
  summary:
    "Mode in which `expected_tool_sequence` and `accepted_tool_sequences` are compared. Default: `same-order`.",
  details: "See *Modes*.",
  limit: modeName,
  needs: ["expected_tool_sequence", "accepted_tool_sequences"],
});

function sequenceModeOf(settings: CheckSettings): PlainMode | BareMode {
  const written = settings.beside("sequence_mode");
  return typeof written === "string" ? (written as PlainMode | BareMode) : "same-order";
}

/** Returns the finding with the actual sequence as its value. */
function happened(found: Finding, { metrics }: CheckContext): Finding {
  if (found.outcome === "pass") return pass(metrics.toolNames, found.message);
  return { ...found, value: metrics.toolNames };
}

type Comparison = (context: CheckContext, expected: readonly string[]) => Finding;

function comparison(written: PlainMode | BareMode, { preset }: CheckSettings): Comparison {
  const mode = resolveMode(written, preset);
  const matching = known(pass(true, `the tools match (${mode})`));
  return (context, expected) => {
    const names = context.metrics.knownNames;
    if (names === null) return toolsHidden(context);
    const wrong = mismatch(mode, namesAsWritten(names, expected, mode, preset), expected);
    return wrong === undefined ? matching : differing(context, mode, wrong, expected, names);
  };
}

function differing(
  context: CheckContext,
  mode: PlainMode,
  wrong: Mismatch,
  expected: readonly string[],
  names: readonly string[],
): Finding {
  const hint = nearMissHint(
    expected.filter((name) => !names.includes(name)),
    names,
  );
  const message = `not ${mode}: ${wrong.reason}${hint}; expected ${arrows(expected)}, happened ${arrows(names)}`;
  const { final, reasons } = wrong;
  return violated(false, message, { ...allToolSpans(context), final, reasons: together(reasons) });
}

/** Check for AgentCI's `min_sequence_similarity`. */
export const minSequenceSimilarity = defineCheck({
  key: "min_sequence_similarity",
  layer: "path",
  metric: "sequence_similarity",
  summary: "The similarity of the called tools P to the reference sequence R is at least this.",
  details:
    "2·LCS / (|P|+|R|), where LCS is the length of the longest common subsequence. [search, rerank, generate] and [search, generate] give 0.8; two empty sequences give 1. With `sequence_metric: edit`, 1 − Levenshtein / max(|P|, |R|), here 0.667. R is chosen as in `match_mode`.",
  limit: fraction,
  evaluate(context, limit) {
    const expected = expectedSequence(context);
    if (expected === undefined) return withoutReference(context, NEEDS);
    const names = context.metrics.knownNames;
    if (names === null) return toolsHidden(context);
    const byEdits = context.settings["sequence_metric"] === "edit";
    const value = likeness(
      byEdits ? editSimilarity : sequenceSimilarity,
      names,
      expected.names,
      context.preset,
    );
    const measure = `${byEdits ? "edit" : "sequence"} similarity ${share(value, limit)}, at least ${share(limit, value)} required`;
    if (isAtLeast(value, limit)) return pass(value, measure);
    const message = `${measure}: expected ${arrows(expected.names)}, happened ${arrows(names)}`;
    return violated(value, message, allToolSpans(context));
  },
});

function likeness(
  of: typeof editSimilarity,
  names: readonly string[],
  expected: readonly string[],
  preset: CheckSettings["preset"],
): number {
  return of(namesInPatterns(names, expected, preset), expected);
}

/** Returns the similarity of the called tools to the reference sequence, by the formula `of`; null if tools or reference are unknown. */
export function sequenceLikeness(context: CheckContext, of: typeof editSimilarity): number | null {
  const names = context.metrics.knownNames;
  const expected = expectedSequence(context);
  return names === null || expected === undefined
    ? null
    : likeness(of, names, expected.names, context.preset);
}

/** Modifies `min_sequence_similarity`: formula of the similarity. */
export const sequenceMetric = defineQualifier({
  key: "sequence_metric",
  summary: "Formula of `min_sequence_similarity`. Default: `lcs`.",
  limit: z.enum(["lcs", "edit"]),
  needs: ["min_sequence_similarity"],
});
