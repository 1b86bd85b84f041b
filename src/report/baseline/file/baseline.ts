import type { AgentRun } from "../../../model/run.ts";
import type { VerdictJson } from "../../json/verdict-schema.ts";
import type { RedactionRule } from "./redact.ts";

/** A saved run with its verdict, under a version name. */
export interface Baseline {
  readonly version: string;
  /** Number of the variant: 1 for the first run, higher for further accepted variants. */
  readonly variant: number;
  readonly agent: string;
  /** Id of the query; null in an AgentCI file, which names the query by its text. */
  readonly queryId: string | null;
  /** Query text of the run; null if the file has none. */
  readonly query: string | null;
  /** Time of saving in RFC 3339; null if the file has none. */
  readonly capturedAt: string | null;
  readonly metadata: BaselineMetadata;
  readonly run: AgentRun;
  /** Verdict at the time of saving; null in an AgentCI file. */
  readonly verdict: VerdictJson | null;
}

export interface BaselineMetadata {
  readonly model: string | null;
  readonly dialects: readonly string[];
  readonly specHash: string | null;
  readonly judgeRubricIds: readonly string[];
  /** Whether correctness passed at the time of saving; null if undecided or unknown. */
  readonly precheckPassed: boolean | null;
  readonly engine: string | null;
  /** Redaction that was applied to the texts. */
  readonly redaction: readonly RedactionRule[];
}

/** Maximum number of accepted variants of one version, including the first run. */
export const mostVariants = 5;

/**
 * Whether a text is a valid version name. The version name is used as a file name: letters, digits, `.`, `_`,
 * `+` and `-`, a letter or digit first, at most 100 characters.
 */
export function isVersionName(name: string): boolean {
  return /^[A-Za-z0-9][\w.+-]{0,99}$/.test(name);
}
