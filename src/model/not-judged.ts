import type { Outcome } from "./outcome.ts";

/**
 * Message of a check that needs a judge, if judges are disabled by `--judge off`, by `judge.mode: off`, or by the caller of the library.
 */
export const judgesAreOff = "judges are off";
/** End of the message of a check that needs a baseline, if no baseline was chosen. */
export const noBaselineChosen = "no baseline requested";

/** A check that was left out because judges are off or because no baseline was requested, and the number of verdicts without it. */
export interface NotJudged {
  readonly check: string;
  readonly reason: string;
  readonly verdicts: number;
}

/**
 * Returns the reason if a check was left out because judges are off or because no baseline was requested; otherwise null. The reason is
 * found in the check's message, so this also works for saved results.
 */
export function leftOutBecause({
  outcome,
  message,
}: {
  readonly outcome: Outcome;
  readonly message: string;
}): string | null {
  if (outcome !== "skip") return null;
  if (message.startsWith(judgesAreOff)) return judgesAreOff;
  return message.endsWith(noBaselineChosen) ? noBaselineChosen : null;
}

/** Counts the checks for which `leftOutBecause` returns a reason. A check counts once for each verdict. */
export class NotJudgedCounts {
  readonly #byReason = new Map<string, Map<string, number>>();

  add(
    checks: Iterable<{ readonly check: string; readonly outcome: Outcome; readonly message: string }>,
  ): void {
    let counted: Set<string> | undefined;
    for (const one of checks) {
      const reason = leftOutBecause(one);
      if (reason === null || counted?.has(one.check) === true) continue;
      (counted ??= new Set()).add(one.check);
      this.#count(one.check, reason, 1);
    }
  }

  addAll(counts: readonly NotJudged[]): void {
    for (const { check, reason, verdicts } of counts) this.#count(check, reason, verdicts);
  }

  /** Counts by reason and check, sorted alphabetically. */
  get all(): readonly NotJudged[] {
    const all = [...this.#byReason].flatMap(([reason, checks]) =>
      [...checks].map(([check, verdicts]) => ({ check, reason, verdicts })),
    );
    const order = (one: NotJudged): string => `${one.reason}\n${one.check}`;
    return all.sort((a, b) => (order(a) < order(b) ? -1 : 1));
  }

  #count(check: string, reason: string, verdicts: number): void {
    const checks = this.#byReason.get(reason) ?? new Map<string, number>();
    this.#byReason.set(reason, checks.set(check, (checks.get(check) ?? 0) + verdicts));
  }
}
