import type { AgentRun } from "../../../model/run.ts";
import type { VerdictJson } from "../../json/verdict-schema.ts";
import type { RedactionRule } from "./redact.ts";

/** A saved run with its verdict, under a version name. */
export interface Baseline {
  readonly version: string;
  /** 1 for the run itself; accepted variants of it count on. */
  readonly variant: number;
  readonly agent: string;
  /** Null in a file of AgentCI, which names the query by its text. */
  readonly queryId: string | null;
  /** The asked text; null if the file has none. */
  readonly query: string | null;
  /** RFC 3339; null if the file has none. */
  readonly capturedAt: string | null;
  readonly metadata: BaselineMetadata;
  readonly run: AgentRun;
  /** The verdict when the run was saved; null in a file of AgentCI. */
  readonly verdict: VerdictJson | null;
}

export interface BaselineMetadata {
  readonly model: string | null;
  readonly dialects: readonly string[];
  readonly specHash: string | null;
  readonly judgeRubricIds: readonly string[];
  /** Whether correctness passed when it was saved; null: could not be determined, or is not known. */
  readonly precheckPassed: boolean | null;
  readonly engine: string | null;
  /** Redaction of its texts. */
  readonly redaction: readonly RedactionRule[];
}

/** Most accepted variants of one version, the first run included. */
export const mostVariants = 5;

/** Version names are file names: letters, digits, `.`, `_`, `+` and `-`, a letter or digit first, at most 100. */
export function isVersionName(name: string): boolean {
  return /^[A-Za-z0-9][\w.+-]{0,99}$/.test(name);
}
