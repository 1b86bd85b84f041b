import { dollars } from "../../../evaluate/rules/text.ts";
import type { PlaybackSaving } from "../../../model/playback.ts";
import { counted } from "./printable.ts";

/**
 * Returns a line with the number of runs that used recorded answers, and the calls, tokens and cost that they
 * saved.
 */
export function savingLine({ runs, calls, tokens, usd }: PlaybackSaving): string {
  const spared = [
    counted(calls, "model call"),
    ...(tokens === null ? [] : [counted(tokens, "token")]),
    ...(usd === null ? [] : [dollars(usd)]),
  ];
  const cost = usd === null ? ", cost unknown" : "";
  return `${counted(runs, "run")} used recorded model answers: ${spared.join(", ")} saved${cost}`;
}
