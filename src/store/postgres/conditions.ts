import { withoutNul } from "./insert.ts";

/** What narrows a query: each condition with its value; one whose value is undefined is left out. */
export class Conditions {
  readonly #parts: string[] = [];
  readonly values: unknown[] = [];

  /** @param sql with `?` for the value */
  add(sql: string, value: unknown): this {
    if (value === undefined) return this;
    this.#parts.push(sql.replaceAll("?", this.value(value)));
    return this;
  }

  /** One that has no value. */
  always(sql: string): this {
    this.#parts.push(sql);
    return this;
  }

  /** Takes a value; gives what stands for it. */
  value(value: unknown): string {
    this.values.push(withoutNul(value));
    return `$${this.values.length}`;
  }

  /** Joined by AND. */
  get sql(): string {
    return this.#parts.length === 0 ? "true" : this.#parts.join(" AND ");
  }
}
