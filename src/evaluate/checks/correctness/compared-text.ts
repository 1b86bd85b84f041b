import type { AgentRun } from "../../../model/run.ts";
import type { RunMetrics } from "../../quantities/run-metrics.ts";

/**
 * A text in the forms in which answers are compared with terms, all in lower case: as it is written; `visible`, in NFC and without
 * characters that do not show (Unicode's default-ignorable ones: zero-width spaces, soft hyphens, variation selectors); and `folded`,
 * in NFKC without them, where full-width and styled letters are plain ones.
 */
export interface ComparedText {
  readonly written: string;
  readonly visible: string;
  readonly folded: string;
}

const ANSWER = Symbol("answer");

/** The answer of a run, made once; null when it was not captured. */
export function answerIn(metrics: RunMetrics): ComparedText | null {
  const written = metrics.foldedAnswer;
  const { answer } = metrics.run;
  if (written === null || answer === null) return null;
  return metrics.once(ANSWER, () => comparedText(answer, written));
}

/** The begin of an answer that was cut off: what occurs there occurs in the answer. */
export function beginIn({ answerBegin }: AgentRun): ComparedText | null {
  return answerBegin === undefined ? null : comparedText(answerBegin);
}

export function comparedText(text: string, written = text.toLowerCase()): ComparedText {
  if (!notAscii.test(text)) return { written, visible: written, folded: written };
  return {
    written,
    visible: folded(text, "NFC"),
    folded: folded(text, "NFKC"),
  };
}

const notAscii = /\P{ASCII}/u;
const ignorable = /\p{Default_Ignorable_Code_Point}+/gu;

/** Dropping characters and changing case can leave letters and marks to be composed, and NFKC can give ignorable characters. */
function folded(text: string, form: "NFC" | "NFKC"): string {
  const composed = text.replace(ignorable, "").normalize(form).replace(ignorable, "");
  return composed.toLowerCase().normalize(form);
}
