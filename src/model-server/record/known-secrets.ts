import { withheld } from "../../support/redact/redactor.ts";

/** Number of characters in the rolling hash, and minimum length of the texts to find. */
const SHORTEST_TEXT = 8;
const BASE = 31;
/** BASE to the power of SHORTEST_TEXT, modulo 2^32: the factor of the character that leaves the window of the rolling hash. */
const LEAVING = Array.from({ length: SHORTEST_TEXT }).reduce<number>((power) => Math.imul(power, BASE), 1);
const SLOTS = 2 ** 20;

/** Finds many texts in another text (Rabin-Karp). The time does not depend on how many texts there are. */
class TextFinder {
  readonly #byStart = new Map<string, Set<string>>();
  /** For each hash slot: 1 if the hash of the beginning of a text belongs to this slot. */
  readonly #slots = new Uint8Array(SLOTS);

  /** @param text at least SHORTEST_TEXT characters long */
  add(text: string): void {
    const start = text.slice(0, SHORTEST_TEXT);
    const known = this.#byStart.get(start) ?? new Set();
    this.#byStart.set(start, known.add(text));
    let hash = 0;
    for (let at = 0; at < SHORTEST_TEXT; at++) hash = Math.imul(hash, BASE) + start.charCodeAt(at);
    this.#slots[hash & (SLOTS - 1)] = 1;
  }

  delete(text: string): void {
    const start = text.slice(0, SHORTEST_TEXT);
    const known = this.#byStart.get(start);
    if (known?.delete(text) === true && known.size === 0) this.#byStart.delete(start);
  }

  /** Replaces all occurrences of the texts; if several texts begin at one position, the longest is replaced. */
  replaceIn(text: string, replacementOf: (found: string) => string): string {
    if (this.#byStart.size === 0) return text;
    let clean = "";
    let done = 0;
    let hash = 0;
    for (let end = 0; end < text.length; end++) {
      hash = Math.imul(hash, BASE) + text.charCodeAt(end);
      const start = end - SHORTEST_TEXT + 1;
      if (start > 0) hash -= Math.imul(LEAVING, text.charCodeAt(start - 1));
      hash |= 0;
      if (start < done || this.#slots[hash & (SLOTS - 1)] === 0) continue;
      const found = this.#longestAt(text, start);
      if (found === null) continue;
      clean += text.slice(done, start) + replacementOf(found);
      done = start + found.length;
    }
    return done === 0 ? text : clean + text.slice(done);
  }

  #longestAt(text: string, start: number): string | null {
    let longest: string | null = null;
    for (const one of this.#byStart.get(text.slice(start, start + SHORTEST_TEXT)) ?? [])
      if (one.length > (longest?.length ?? 0) && text.startsWith(one, start)) longest = one;
    // A letter after a backslash is part of a JSON escape such as `
    // `, so no text can begin with it.
    return longest !== null && isEscaped(text, start) ? null : longest;
  }
}

const MOST = 10_000;
/** Matches names of headers, URL parameters and cookies with credentials of clients. */
const headerNames = /^(?:proxy-)?authorization$|^cookie$|(?:^|-)(?:api-?)?key$|token|secret|password/i;
const parameterNames = /^(?:key|api[-_]?key|access_token|token)$/i;

/** Credentials that clients have sent. They must not be written to any file. */
export class KnownSecrets {
  readonly #values = new Set<string>();
  readonly #finder = new TextFinder();
  #added = 0;

  /**
   * Number of credentials that were added. If it has grown since a text was cleaned, the text may contain a newer credential and must be
   * cleaned again.
   */
  get added(): number {
    return this.#added;
  }

  add(value: string): void {
    const trimmed = value.trim();
    // A shorter value is not added, because it also occurs by chance in other texts.
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

  /** Adds the credentials in headers and address of a request. */
  addOf(rawHeaders: readonly string[], target: URL): void {
    for (let at = 0; at + 1 < rawHeaders.length; at += 2)
      if (headerNames.test(rawHeaders[at] ?? ""))
        this.#addHeader(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
    for (const [name, value] of target.searchParams) if (parameterNames.test(name)) this.add(value);
  }

  /** Adds the secret parts of a header, for example `TOKEN` in `Bearer TOKEN`, and `value` in `name=value; name=value`. */
  #addHeader(name: string, value: string): void {
    if (name.toLowerCase() === "cookie")
      for (const pair of value.split(";")) this.add(pair.slice(pair.indexOf("=") + 1));
    else this.add(value.replace(/^\s*[\w-]+\s+(?=\S+\s*$)/, ""));
  }

  /** Returns the text without the credentials. Finds them in plain form, and as JSON escapes them. */
  removeFrom(text: string): string {
    return this.#finder.replaceIn(text, () => withheld);
  }

  /** Overwrites each credential in a text. The length of the text in UTF-8 bytes stays the same. */
  maskIn(text: string): string {
    return this.#finder.replaceIn(text, (secret) => "*".repeat(Buffer.byteLength(secret)));
  }
}

/** Returns the forms in which a value occurs: plain, escaped as JSON, and escaped as JSON twice. */
function formsOf(value: string): readonly string[] {
  const escaped = JSON.stringify(value).slice(1, -1);
  return [...new Set([value, escaped, JSON.stringify(escaped).slice(1, -1)])];
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text.charCodeAt(at - 1 - slashes) === 92) slashes++;
  return slashes % 2 === 1;
}
