/** Groups with an agent that did nothing itself, each with the latest end of one: only where it is later than in all groups before. */
export class IdleAgents {
  readonly #groups: number[] = [];
  readonly #ends: number[] = [];

  add(group: number, end: number): void {
    const at = firstOf(this.#groups, group);
    const covering = this.#groups[at] === group ? at : at - 1;
    if ((this.#ends[covering] ?? -Infinity) >= end) return;
    let until = at;
    while ((this.#ends[until] ?? Infinity) <= end) until++;
    this.#groups.splice(at, until - at, group);
    this.#ends.splice(at, until - at, end);
  }

  /** The first with one that ended at this time or later. */
  until(end: number): number | undefined {
    return this.#groups[firstOf(this.#ends, end)];
  }
}

/** The place of the first of the ascending numbers that is not below. */
function firstOf(ascending: readonly number[], least: number): number {
  let from = 0;
  for (let to = ascending.length; from < to;) {
    const middle = (from + to) >> 1;
    if ((ascending[middle] ?? Infinity) < least) from = middle + 1;
    else to = middle;
  }
  return from;
}
