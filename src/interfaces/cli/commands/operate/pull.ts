import { systemClock } from "../../../../judge/limits/clock.ts";
import { PullProgress } from "../../../../pull/pull-progress.ts";
import { type PulledToFolder, pullToFolder } from "../../../../pull/targets/pull-to-folder.ts";
import { pulledText } from "../../../../pull/pull.ts";
import { ExitCode, type Io, write } from "../../../../support/process/io.ts";

export interface PullOptions {
  readonly since?: string;
  readonly until?: string;
  readonly limit?: number;
  readonly out: string;
}

/**
 * Downloads traces from observability backends into files, and prints the paths of the files. Returns exit code 2 if spans of the traces
 * are missing in the files.
 */
export async function pull(sources: readonly string[], options: PullOptions, io: Io): Promise<ExitCode> {
  const { since, until, limit, out } = options;
  let isWhole = true;
  for (const source of sources) {
    const pulled = await pullToFolder(source, {
      range: { since, until, limit },
      folder: out,
      env: io.env,
      clock: systemClock,
      progressFor: (name) => new PullProgress(io.stderr, name),
    });
    await write(io.stderr, `${pulledText(pulled)}${problemsText(pulled)}`);
    if (pulled.path !== undefined) await write(io.stdout, `${pulled.path}\n`);
    isWhole &&= pulled.invalid.length + pulled.gaps.length === 0;
  }
  return isWhole ? ExitCode.passed : ExitCode.undecided;
}

/** Maximum number of unreadable spans that are listed. Of all others, only the number is printed. */
const SHOWN = 10;

function problemsText({ gaps, invalid }: PulledToFolder): string {
  const lines = [
    ...gaps.map((gap) => `  ${gap}`),
    ...invalid.slice(0, SHOWN).map((reason) => `  left out: ${reason}`),
    ...(invalid.length > SHOWN ? [`  and ${invalid.length - SHOWN} more left out`] : []),
  ];
  return lines.map((line) => `${line}\n`).join("");
}
