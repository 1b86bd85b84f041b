import { writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolderSync } from "../../../support/process/make-folder.ts";
import type { Config } from "../../../config/config.ts";
import type { AgentRun } from "../../../model/run.ts";
import { CASSETTE_ENDING } from "../../../model-server/cassettes/cassette.ts";
import { parseCassette, readCassette } from "../../../model-server/cassettes/read-cassette.ts";
import { cassetteText } from "../../../model-server/cassettes/write-cassette.ts";
import { createMask } from "../../../model-server/replay/mask.ts";
import { requestReducer } from "../../../model-server/replay/reduce-request.ts";
import { isSameRun } from "../../../model-server/replay/same-run.ts";
import { fixtureRedactor, type RedactChoice } from "../../judging/redaction.ts";
import { recordingOf } from "./recordings.ts";

/** Returns the path of the cassette next to a dump that contains one run. */
export function cassetteBeside(dump: string): string {
  return `${dump.replace(/\.jsonl$/, "")}${CASSETTE_ENDING}`;
}

/**
 * Replaces the run of a cassette. Leaves the file unchanged if the new run gives the same answers in a playback as the old run. Returns the
 * reason if the new run cannot be played back, otherwise whether the file was written.
 */
export function rewriteRecording(
  { cassette, redacted }: { readonly cassette: string; readonly redacted: RedactChoice },
  run: AgentRun,
  config: Pick<Config, "redact" | "recordedModels">,
): { readonly problem: string } | { readonly isWritten: boolean } {
  const packed = packedText(run, redacted, config);
  if ("problem" in packed) return packed;
  const reduce = requestReducer(createMask(config.recordedModels.ignore));
  if (isSameRun(readCassette(cassette).run, parseCassette(packed.text).run, reduce))
    return { isWritten: false };
  writeFileSync(cassette, packed.text);
  return { isWritten: true };
}

function packedText(
  run: AgentRun,
  redact: RedactChoice,
  config: Pick<Config, "redact">,
): { readonly problem: string } | { readonly text: string } {
  const recording = recordingOf(run);
  if ("reasons" in recording) return { problem: `${recording.reasons.join("; ")}. ${recording.remedy}` };
  return { text: cassetteText(recording, redact, fixtureRedactor(redact, config.redact)) };
}

/** Writes the run as a cassette. Returns why the run cannot be played back; null on success. */
export function writeRecording(
  file: string,
  run: AgentRun,
  redact: RedactChoice,
  config: Pick<Config, "redact">,
): string | null {
  const packed = packedText(run, redact, config);
  if ("problem" in packed) return packed.problem;
  makeFolderSync(dirname(file));
  writeFileSync(file, packed.text);
  return null;
}
