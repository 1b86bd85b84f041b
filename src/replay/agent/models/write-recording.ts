import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Config } from "../../../config/config.ts";
import type { AgentRun } from "../../../model/run.ts";
import { CASSETTE_ENDING } from "../../../model-server/cassettes/cassette.ts";
import { cassetteText } from "../../../model-server/cassettes/write-cassette.ts";
import { fixtureRedactor, type RedactChoice } from "../../judging/redaction.ts";
import { recordingOf } from "./recordings.ts";

/** Returns the path of the cassette that belongs to a dump of one run. */
export function cassetteBeside(dump: string): string {
  return `${dump.replace(/\.jsonl$/, "")}${CASSETTE_ENDING}`;
}

/** Writes the run as a cassette. Returns why the run cannot be played back; null on success. */
export function writeRecording(
  file: string,
  run: AgentRun,
  redact: RedactChoice,
  config: Pick<Config, "redact">,
): string | null {
  const recording = recordingOf(run);
  if ("reasons" in recording) return `${recording.reasons.join("; ")}. ${recording.remedy}`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, cassetteText(recording, redact, fixtureRedactor(redact, config.redact)));
  return null;
}
