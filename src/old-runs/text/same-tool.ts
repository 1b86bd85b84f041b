import { plainName } from "../messages/pick.ts";

/** Names compare without separators; a server's or plugin's name may stand before the tool's. */
export function sameTool(a: string | null | undefined, b: string | null | undefined): boolean {
  if (a === null || a === undefined || b === null || b === undefined) return false;
  const [x, y] = [plainName(a), plainName(b)];
  if (x === y) return true;
  return isSuffix(a, b) || isSuffix(b, a);
}

function isSuffix(whole: string, end: string): boolean {
  const at = whole.length - end.length;
  return at > 0 && whole.endsWith(end) && /[-_.:/]/.test(whole[at - 1] ?? "");
}
