import type { Value } from "./database.ts";

/** What narrows a query: each condition with its value; one without a value is left out. */
export class Conditions {
  readonly #parts: string[] = [];
  readonly values: Value[] = [];

  /** @param value what the condition's `?` stands for, or each of them */
  add(sql: string, value: Value | readonly string[] | undefined): this {
    if (value === undefined) return this;
    this.#parts.push(sql);
    if (Array.isArray(value)) this.values.push(...(value as readonly string[]));
    else this.values.push(value as Value);
    return this;
  }

  /** One that has no `?`. */
  always(sql: string): this {
    this.#parts.push(sql);
    return this;
  }

  /** Joined by AND; `1` when there are none. */
  get sql(): string {
    return this.#parts.length === 0 ? "1" : this.#parts.join(" AND ");
  }
}
