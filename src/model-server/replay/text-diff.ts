import { oneLine } from "./one-line.ts";

const AROUND = 32;
const LONGEST = 160;

/** Returns the difference between two texts, on one line: both versions of the different part, and the words around it. */
export function textDiff(recorded: string | null, now: string | null): string {
  if (recorded === null) return `+ ${shortened(now ?? "")}`;
  if (now === null) return `- ${shortened(recorded)}`;
  const was = oneLine(recorded);
  const is = oneLine(now);
  let start = 0;
  while (start < was.length && start < is.length && was[start] === is[start]) start++;
  start = was.lastIndexOf(" ", start - 1) + 1;
  let end = 0;
  while (end < was.length - start && end < is.length - start && was.at(-1 - end) === is.at(-1 - end)) end++;
  const space = was.slice(was.length - end).indexOf(" ");
  if (end > 0) end = space < 0 ? 0 : end - space;
  const before = was.slice(Math.max(0, start - AROUND), start);
  const after = was.slice(was.length - end, was.length - end + AROUND);
  const open = start > AROUND ? "…" : "";
  const close = end > AROUND ? "…" : "";
  const removed = shortened(was.slice(start, was.length - end));
  const added = shortened(is.slice(start, is.length - end));
  return `${open}${before}[-${removed}-]{+${added}+}${after}${close}`;
}

function shortened(text: string): string {
  const line = oneLine(text);
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST)}…`;
}
