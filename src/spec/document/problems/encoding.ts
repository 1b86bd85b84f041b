import { problemAt, type Problem } from "./problem.ts";

/** Matches characters that appear if bytes of another encoding are decoded as UTF-8. */
const FOREIGN = /[\0\uFFFD]/;

/** Returns a problem at the first place where a text, decoded as UTF-8, was not UTF-8; undefined if there is none. */
export function encodingProblem(
  file: string,
  text: string,
  { code, hint }: Pick<Problem, "code" | "hint">,
): Problem | undefined {
  const at = text.search(FOREIGN);
  if (at < 0) return undefined;
  const before = text.slice(0, at).split("\n");
  const place = { file, line: before.length, column: (before.at(-1) ?? "").length + 1, length: 1 };
  return problemAt(place, code, "the text is not UTF-8", hint);
}
