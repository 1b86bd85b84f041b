import type { Pulled } from "./pull.ts";
import { countsText, type PullCounts } from "./pull-progress.ts";
import type { PullWindow } from "./window.ts";

interface Shown extends Pulled {
  readonly name: string;
  readonly window: PullWindow;
  readonly counts: PullCounts;
  readonly isResumed: boolean;
}

/** What was pulled from where and when, in a line, and a line for a limit that was reached. */
export function pulledText({ name, window, counts, isResumed, isLimited }: Shown): string {
  const what = counts.spans + counts.files === 0 ? "no trace" : countsText(counts);
  const before = isResumed ? ", with what was pulled before" : "";
  const limit = isLimited ? `\n  the limit of ${counts.traces} traces is reached: there may be more` : "";
  return `${name}: ${what} from ${timeText(window.sinceMs)} to ${timeText(window.untilMs)}${before}${limit}\n`;
}

function timeText(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");
}
