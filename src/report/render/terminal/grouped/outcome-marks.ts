import type { Outcome } from "../../../../model/outcome.ts";
import type { Theme } from "../printable.ts";

export const outcomeWords: Readonly<Record<Outcome, string>> = {
  fail: "FAIL",
  error: "ERROR",
  incomplete: "INCOMPLETE",
  warn: "WARN",
  pass: "PASS",
  skip: "SKIP",
};

export const outcomeGlyphs: Readonly<Record<Outcome, string>> = {
  fail: "✗",
  error: "!",
  incomplete: "?",
  warn: "▲",
  pass: "✓",
  skip: "○",
};

export function paint(outcome: Outcome, text: string, theme: Theme): string {
  switch (outcome) {
    case "pass":
      return theme.good(text);
    case "fail":
      return theme.bad(text);
    case "skip":
      return theme.dim(text);
    case "warn":
    case "incomplete":
    case "error":
      return theme.unsure(text);
  }
}
