import { writeFileSync } from "node:fs";
import type { Result } from "./result.ts";
import { heading, lineOf } from "./table.ts";

/** Prints each result immediately and saves all results so far, so that an interrupted run keeps its results. */
export class Report {
  readonly #json: string | undefined;
  readonly #results: Result[] = [];

  constructor(json: string | undefined) {
    this.#json = json;
  }

  get results(): readonly Result[] {
    return this.#results;
  }

  add(results: readonly Result[]): void {
    if (this.#results.length === 0 && results.length > 0) process.stdout.write(`${heading}\n`);
    this.#results.push(...results);
    for (const result of results) process.stdout.write(`${lineOf(result)}\n`);
    if (this.#json !== undefined) writeFileSync(this.#json, `${JSON.stringify(this.#results, null, 2)}\n`);
  }
}
