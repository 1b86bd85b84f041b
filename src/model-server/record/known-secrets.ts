import { withheld } from "../../support/redact/redactor.ts";

/** Shorter values occur in texts that have nothing to do with them. */
const SHORTEST = 8;
const MOST = 10_000;
/** Headers, parameters of an address and cookies in which clients authenticate. */
const headerNames = /^(?:proxy-)?authorization$|^cookie$|(?:^|-)(?:api-?)?key$|token|secret|password/i;
const parameterNames = /^(?:key|api[-_]?key|access_token|token)$/i;

/** The very values with which clients have authenticated. None of them may be written, wherever it occurs. */
export class KnownSecrets {
  readonly #values = new Set<string>();
  #added = 0;

  /** How many were added so far: a text that was cleaned when there were fewer may hold one. */
  get added(): number {
    return this.#added;
  }

  add(value: string): void {
    const trimmed = value.trim();
    if (trimmed.length < SHORTEST) return;
    if (!this.#values.has(trimmed)) this.#added++;
    this.#values.delete(trimmed);
    this.#values.add(trimmed);
    const [oldest] = this.#values;
    if (this.#values.size > MOST && oldest !== undefined) this.#values.delete(oldest);
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
    let clean = text;
    for (const value of this.#values)
      for (const form of formsOf(value)) if (clean.includes(form)) clean = clean.replaceAll(form, withheld);
    return clean;
  }

  /** Overwrites each of them in the bytes of a text. Gives whether there was one. */
  maskIn(text: Buffer): boolean {
    let isFound = false;
    for (const value of this.#values)
      for (const form of formsOf(value).map((one) => Buffer.from(one)))
        for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at)) {
          text.fill(MASK, at, at + form.length);
          isFound = true;
        }
    return isFound;
  }
}

const MASK = "*".charCodeAt(0);

/** A value as it stands, and as texts of JSON escape it. */
function formsOf(value: string): readonly string[] {
  const escaped = JSON.stringify(value).slice(1, -1);
  return [...new Set([value, escaped, JSON.stringify(escaped).slice(1, -1)])];
}
