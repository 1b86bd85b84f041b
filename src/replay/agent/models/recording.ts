import type { RecordedRun } from "../../../model-server/replay/recorded-run.ts";
import type { RedactChoice } from "../../judging/redaction.ts";

/** A recorded run that can be played back, and its cost. */
export interface Recording extends RecordedRun {
  readonly agent: string | null;
  readonly service: string | null;
  readonly tokens: number | null;
  readonly costUsd: number | null;
  /** Redaction that was applied to the recording. */
  readonly redacted: RedactChoice;
  /** Path of the cassette with the recording; null if it is from a dump. */
  readonly cassette: string | null;
}
