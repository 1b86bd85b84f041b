import { withheld } from "../../support/redact/redactor.ts";
import { SHORTEST_TEXT, TextFinder } from "./text-finder.ts";

const MOST = 10_000;
/** Headers, parameters of an address and cookies in which clients authenticate. */
const headerNames = /^(?:proxy-)?authorization$|^cookie$|(?:^|-)(?:api-?)?key$|token|secret|password/i;
const parameterNames = /^(?:key|api[-_]?key|access_token|token)$/i;

/** The very values with which clients have authenticated. None of them may be written, wherever it occurs. */
export class KnownSecrets {
  readonly #values = new Set<string>();
  readonly #finder = new TextFinder();
  #added = 0;

  /** How many were added so far: a text that was cleaned when there were fewer may hold one. */
  get added(): number {
    return this.#added;
  }

  add(value: string): void {
    const trimmed = value.trim();
    // Shorter values occur in texts that have nothing to do with them.
    if (trimmed.length < SHORTEST_TEXT) return;
    if (!this.#values.delete(trimmed)) {
      this.#added++;
      for (const form of formsOf(trimmed)) this.#finder.add(form);
    }
    this.#values.add(trimmed);
    const [oldest] = this.#values;
    if (this.#values.size <= MOST || oldest === undefined) return;
    this.#values.delete(oldest);
    for (const form of formsOf(oldest)) this.#finder.delete(form);
  }

  /** What the headers and the address of a request hold. */
  addOf(rawHeaders: readonly string[], target: URL): void {
    for (let at = 0; at + 1 < rawHeaders.length; at += 2)
      if (headerNames.test(rawHeaders[at] ?? ""))
        this.#addHeader(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
    for (const [name, value] of target.searchParams) if (parameterNames.test(name)) this.add(value);
  }

  /** `Bearer TOKEN` and `name=value; name=value` hold the secret behind a word that is none. */
  #addHeader(name: string, value: string): void {
    if (name.toLowerCase() === "cookie")
      for (const pair of value.split(";")) this.add(pair.slice(pair.indexOf("=") + 1));
    else this.add(value.replace(/^\s*[\w-]+\s+(?=\S+\s*$)/, ""));
  }

  /** The text without any of them, as they stand or escaped as in JSON. */
  removeFrom(text: string): string {
    return this.#finder.replaceIn(text, () => withheld);
  }

  /** The text with each of them overwritten. It has as many bytes in UTF-8 as before. */
  maskIn(text: string): string {
    return this.#finder.replaceIn(text, (secret) => "*".repeat(Buffer.byteLength(secret)));
  }
}

/** A value as it stands, and as texts of JSON escape it. */
function formsOf(value: string): readonly string[] {
  const escaped = JSON.stringify(value).slice(1, -1);
  return [...new Set([value, escaped, JSON.stringify(escaped).slice(1, -1)])];
}
