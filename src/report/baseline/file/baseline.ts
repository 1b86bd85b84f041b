import type { AgentRun } from "../../../model/run.ts";
import type { VerdictJson } from "../../json/verdict-schema.ts";
import type { RedactionRule } from "./redact.ts";

/** A saved run with its verdict, from a baseline file. */
export interface Baseline {
  readonly version: string;
  /** Number of the variant, from 1. Several accepted runs of one query are saved as variants. */
  readonly variant: number;
  readonly agent: string;
  /** Id of the query; null in an AgentCI file, which has only the query text. */
  readonly queryId: string | null;
  /** Query text of the run; null if the file lacks the text. */
  readonly query: string | null;
  /** Time of saving in RFC 3339; null if the file lacks the time. */
  readonly capturedAt: string | null;
  readonly metadata: BaselineMetadata;
  readonly run: AgentRun;
  /** Verdict at the time of saving; null in an AgentCI file, or if this version cannot read the verdict. */
  readonly verdict: VerdictJson | null;
}

export interface BaselineMetadata {
  readonly model: string | null;
  readonly dialects: readonly string[];
  readonly specHash: string | null;
  readonly judgeRubricIds: readonly string[];
  /**
   * Whether the correctness layer passed at the time of saving. Null if the layer was undecided or the file
   * lacks the value.
   */
  readonly precheckPassed: boolean | null;
  readonly engine: string | null;
  /** Redaction rules that were applied to the texts before saving. */
  readonly redaction: readonly RedactionRule[];
}

/** Maximum number of saved variants of one query under one version. */
export const mostVariants = 5;

/** Hint for a version name that is not valid. */
export const versionNameHint =
  "use at most 100 letters, digits, `.`, `_`, `+` and `-`; begin with a letter or a digit";

/** Whether a text is valid as a version name, which is part of a file path. `versionNameHint` states the rule. */
export function isVersionName(name: string): boolean {
  return /^[A-Za-z0-9][\w.+-]{0,99}$/.test(name);
}
