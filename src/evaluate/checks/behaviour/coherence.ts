import { occursAsWhole } from "../../rules/whole-values.ts";
import type { AgentRun } from "../../../model/run.ts";
import { plainQuotes } from "../../rules/plain-quotes.ts";
import { listed } from "../../rules/text.ts";
import { rounded } from "./trust.ts";

const MOST_TEXT = 20_000;

/** A sign that the turns of a conversation do not fit together. */
export interface CoherenceIssue {
  readonly category: "context_amnesia" | "tool_regression" | "strategy_drift" | "output_contradiction";
  /** Number of the turn, from 1. */
  readonly turn: number;
  readonly description: string;
  readonly penalty: number;
}

const ERROR = 0.2;
const WARNING = 0.1;
const MOST_TURNS = 100;

/**
 * Finds the incoherences between turns that EvalView defines, from English wording and tools only, in the first 100 turns.
 * `context_amnesia`: from turn 3 on, the user repeats names, quoted texts or numbers of the first half, and the answer contains none of
 * them. `tool_regression`: a turn drops at least as many tools of an earlier turn as it keeps, and keeps at least one. `strategy_drift`: in
 * 4 or more turns, the tools of the two halves have a Jaccard similarity below 0.3, and one half uses at least two tools that the other
 * half does not use. `output_contradiction`: an answer contradicts an earlier answer.
 */
export function coherenceIssues(turns: readonly AgentRun[]): readonly CoherenceIssue[] {
  const seen = turns.slice(0, MOST_TURNS);
  return [...amnesia(seen), ...regressions(seen), ...drift(seen), ...contradictions(seen)];
}

/** Returns the coherence from 0 to 1: 1 minus 0.2 for each contradiction and 0.1 for each other issue. */
export function coherenceOf(issues: readonly CoherenceIssue[]): number {
  return rounded(Math.max(0, 1 - issues.reduce((sum, { penalty }) => sum + penalty, 0)));
}

function amnesia(turns: readonly AgentRun[]): readonly CoherenceIssue[] {
  if (turns.length < 3) return [];
  const early = new Set(
    turns.slice(0, Math.max(1, Math.floor(turns.length / 2))).flatMap(({ query }) => namedIn(query ?? "")),
  );
  return turns.flatMap(({ query, answer }, at) => {
    if (at < 2 || answer === null || answer === "") return [];
    const takenUp = [...new Set(namedIn(query ?? ""))].filter((name) => early.has(name));
    const folded = answer.toLowerCase();
    if (takenUp.length === 0 || takenUp.some((name) => occursAsWhole(folded, name))) return [];
    const description = `the answer of turn ${at + 1} does not mention ${listed(takenUp)}, which the user repeats`;
    return [{ category: "context_amnesia", turn: at + 1, description, penalty: WARNING } as const];
  });
}

/** Returns names of two or more capitalised words, quoted texts and numbers of two or more digits, in lower case. */
function namedIn(text: string): readonly string[] {
  const shown = text.slice(0, 5000);
  const names = shown.match(/\b[A-Z][a-z]+(?: [A-Z][a-z]+)+\b/g) ?? [];
  const quoted = [...shown.matchAll(/["']([^"']{2,30})["']/g)].map(([, inner = ""]) => inner);
  const numbers = shown.match(/\b\d{2,}\b/g) ?? [];
  return [...names, ...quoted, ...numbers].map((name) => name.toLowerCase());
}

function toolsOf({ tools }: AgentRun): ReadonlySet<string> {
  return new Set(tools.flatMap(({ name, executed }) => (name === null || executed === false ? [] : [name])));
}

function regressions(turns: readonly AgentRun[]): readonly CoherenceIssue[] {
  const used = turns.map(toolsOf);
  return used.flatMap((own, at) => {
    if (own.size === 0) return [];
    let most: readonly string[] = [];
    let before = 0;
    for (let earlier = 0; earlier < at; earlier++) {
      const theirs = [...(used[earlier] ?? [])];
      const dropped = theirs.filter((name) => !own.has(name));
      const kept = theirs.length - dropped.length;
      if (kept > 0 && dropped.length >= kept && dropped.length > most.length) {
        most = dropped;
        before = earlier + 1;
      }
    }
    if (most.length === 0) return [];
    const description = `turn ${at + 1} does not use ${listed(most)}, which turn ${before} used`;
    return [{ category: "tool_regression", turn: at + 1, description, penalty: WARNING } as const];
  });
}

function drift(turns: readonly AgentRun[]): readonly CoherenceIssue[] {
  if (turns.length < 4) return [];
  const middle = Math.floor(turns.length / 2);
  const first = new Set(turns.slice(0, middle).flatMap((turn) => [...toolsOf(turn)]));
  const second = new Set(turns.slice(middle).flatMap((turn) => [...toolsOf(turn)]));
  if (first.size === 0 || second.size === 0) return [];
  const shared = [...first].filter((name) => second.has(name)).length;
  const alike = shared / (first.size + second.size - shared);
  if (alike >= 0.3 || (first.size - shared < 2 && second.size - shared < 2)) return [];
  const description = `turns from turn ${middle + 1} on use mostly other tools than earlier turns`;
  return [{ category: "strategy_drift", turn: middle + 1, description, penalty: WARNING }];
}

function contradictions(turns: readonly AgentRun[]): readonly CoherenceIssue[] {
  const claims: readonly Claims[] = turns.map(({ answer }) => claimsIn(answer ?? ""));
  return claims.flatMap((own, at) => {
    for (let earlier = 0; earlier < at; earlier++) {
      const found = contradiction(claims[earlier] ?? own, own);
      if (found === undefined) continue;
      const description = `turn ${at + 1} contradicts turn ${earlier + 1} about ${found}`;
      return [{ category: "output_contradiction", turn: at + 1, description, penalty: ERROR } as const];
    }
    return [];
  });
}

/** Simple statements in an answer, in lower case. */
interface Claims {
  /** Subject and complement of each statement: "door open" for "the door is open". */
  readonly is: ReadonlySet<string>;
  readonly isNot: ReadonlySet<string>;
  /** Values by name: "price" → "$50" from "the price is $50". */
  readonly values: ReadonlyMap<string, string>;
  readonly has: ReadonlySet<string>;
  readonly hasNot: ReadonlySet<string>;
}

/** Finds sentences of the forms "x is (not) y", "x isn't y", "the x is 50", "x has y" and "x does not have y". */
function claimsIn(text: string): Claims {
  const folded = plainQuotes(text.slice(0, MOST_TEXT)).toLowerCase().replaceAll(/\s+/g, " ");
  return {
    is: pairs(folded, /\b(\w+) is (?!not\b)(\w+)/g),
    isNot: pairs(folded, /\b(\w+) (?:is not|isn't) (\w+)/g),
    values: new Map(
      [...folded.matchAll(/\bthe (\w+) is (\$?\d+(?:,\d{3})*(?:\.\d+)?)/g)].map(
        ([, name = "", value = ""]) => [name, plainNumber(value)],
      ),
    ),
    has: pairs(folded, /\b(\w+) (?:has|have) (\w+)/g),
    hasNot: pairs(folded, /\b(\w+) (?:doesn't|does not|don't|do not) have (\w+)/g),
  };
}

/** Returns a number without grouping commas and trailing zeros: "$1,000" and "$1000.00" become equal. */
function plainNumber(value: string): string {
  const [, currency = "", digits = ""] = /^(\$?)(.*)$/.exec(value.replaceAll(",", "")) ?? [];
  return currency + String(Number(digits));
}

function pairs(text: string, form: RegExp): ReadonlySet<string> {
  return new Set([...text.matchAll(form)].map(([, subject = "", object = ""]) => `${subject} ${object}`));
}

/** Returns the statement or the name about which two answers contradict each other; undefined if they do not. */
function contradiction(earlier: Claims, later: Claims): string | undefined {
  for (const [name, value] of later.values) {
    const before = earlier.values.get(name);
    if (before !== undefined && before !== value) return `the ${name}`;
  }
  return (
    common(earlier.is, later.isNot) ??
    common(later.is, earlier.isNot) ??
    common(earlier.has, later.hasNot) ??
    common(later.has, earlier.hasNot)
  );
}

function common(one: ReadonlySet<string>, other: ReadonlySet<string>): string | undefined {
  for (const claim of other) if (one.has(claim)) return claim;
  return undefined;
}
