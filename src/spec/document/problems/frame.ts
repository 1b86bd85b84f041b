import type { Problem } from "./problem.ts";

const contextLines = 1;
const widest = 160;

/**
 * Returns the lines around a problem, with carets below the problem's text:
 *
 * ```
 *   2 │ path:
 * > 3 │   max_tool_cals: 0
 *     │   ^^^^^^^^^^^^^
 *   4 │   forbidden_tools: [bash]
 * ```
 *
 * The result is empty if the problem concerns a whole file, or if the text does not have the problem's line.
 */
export function codeFrame(text: string, at: Pick<Problem, "line" | "column" | "length">): string {
  const lines = text.split(/\r\n|[\n\r]/);
  if (at.line < 1 || at.line > lines.length) return "";
  const first = Math.max(1, at.line - contextLines);
  const last = Math.min(lines.length, at.line + contextLines);
  const gutter = String(last).length;
  const out: string[] = [];
  for (let number = first; number <= last; number++) {
    const line = visible(lines[number - 1] ?? "");
    const marker = number === at.line ? ">" : " ";
    if (number !== at.line && number === last && line === "") continue;
    out.push(`${marker} ${String(number).padStart(gutter)} │ ${cut(line)}`.trimEnd());
    if (number === at.line) out.push(`  ${" ".repeat(gutter)} │ ${caret(line, at)}`);
  }
  return out.join("\n");
}

/** Formats a problem for the terminal: position and code, message, code frame (if the file's text is known), hint. */
export function renderProblem(problem: Problem, text: string | undefined): string {
  const place = problem.line > 0 ? `${problem.file}:${problem.line}:${problem.column}` : problem.file;
  const sign = problem.severity === "error" ? "✗" : "!";
  const frame = text === undefined ? "" : codeFrame(text, problem);
  const parts = [`${place}  ${problem.code}`, `  ${sign} ${visible(problem.message)}`];
  if (frame !== "") parts.push(frame.replace(/^/gm, "    "));
  if (problem.hint !== null) parts.push(`  hint: ${visible(problem.hint)}`);
  return parts.join("\n");
}

function caret(line: string, at: Pick<Problem, "column" | "length">): string {
  const start = Math.min(at.column - 1, line.length, widest);
  const length = Math.max(1, Math.min(at.length, line.length - start, widest - start));
  return " ".repeat(start) + "^".repeat(length);
}

function cut(line: string): string {
  return line.length > widest ? `${line.slice(0, widest)}…` : line;
}

/** Replaces control characters and bidirectional control characters, which could manipulate the terminal. */
function visible(text: string): string {
  return text.replaceAll("\t", " ").replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, "�");
}
