import { createHash } from "node:crypto";
import type { ModelAnswer, ModelRequest, RecordedExchange } from "../../model/model-exchange.ts";
import type { Divergence } from "../../model/playback.ts";
import { type Difference, differencesOf, distanceOf } from "./differences.ts";
import type { RecordedRun } from "./recorded-run.ts";
import type { ReducedRequest, RequestReducer } from "./reduce-request.ts";
import { textDiff } from "./text-diff.ts";

/**
 * A recorded exchange, and whether it is `free`, `lent` to a request that differs from the recorded request, or `used` by an equal request.
 */
interface Slot {
  readonly exchange: RecordedExchange;
  readonly reduced: ReducedRequest;
  state: "free" | "lent" | "used";
  /** Number of the model call that got this answer although its request differs; null if there is none. */
  borrower: number | null;
}

/** What a session responds: an answer, or the error of a recorded call. */
export type Played = { readonly answer: ModelAnswer } | { readonly error: string };

/** How to recognise a repeated request. */
export interface Attempt {
  /** Whether the client closed its connection before it had the answer. */
  readonly isLost: () => boolean;
  /** Whether the client marks the request as a retry. */
  readonly isRetry: boolean;
}

const onlyAttempt: Attempt = { isLost: () => false, isRetry: false };

interface PlayedRequest {
  /** Hash of the request, which itself may have megabytes. */
  readonly fingerprint: string;
  readonly played: Played;
  readonly attempt: Attempt;
}

/** Maximum number of remembered requests. Older requests are forgotten, because clients repeat a request soon or never. */
const MOST_REMEMBERED = 32;
/** More model calls than this multiple of the recorded calls, plus a few, count as a loop. */
const MOST_TIMES = 3;
const MOST_MORE = 20;

/** Plays back one recorded run for one call of the agent. */
export class ReplaySession {
  readonly run: RecordedRun;
  readonly #reduce: RequestReducer;
  readonly #slots: readonly Slot[];
  readonly #failed: readonly Slot[];
  readonly #found: Divergence[] = [];
  /** Keys of the recorded differences, without additional calls. */
  readonly #foundKeys = new Set<string>();
  /** Answered requests whose answers may not have arrived. */
  readonly #played: PlayedRequest[] = [];
  #calls = 0;
  #repeated = 0;

  constructor(run: RecordedRun, reduce: RequestReducer) {
    this.run = run;
    this.#reduce = reduce;
    const calledByTools = calledNames(run.exchanges);
    const slots = run.exchanges.map((exchange): Slot => {
      const { tools, hasMoreTools = false } = exchange.request;
      const called = [...(calledByTools.get(namesOf(tools)) ?? [])];
      const isUnlisted = (name: string): boolean => !tools?.some((tool) => tool.name === name);
      const reduced = { ...reduce(exchange.request), hasMoreTools: hasMoreTools || called.some(isUnlisted) };
      return { exchange, reduced, state: "free", borrower: null };
    });
    this.#slots = slots.filter(({ exchange }) => exchange.answer !== null);
    this.#failed = slots.filter(({ exchange }) => exchange.answer === null);
  }

  get #mostCalls(): number {
    return this.#slots.length * MOST_TIMES + MOST_MORE;
  }

  /** Number of model calls of the agent. */
  get calls(): number {
    return this.#calls;
  }

  /** Returns the distance of a request from the closest recorded request; 0 if they are equal. */
  distanceTo(request: ModelRequest): number {
    const now = this.#reduce(request);
    const distances = this.#slots.map(({ reduced }) => distanceOf(reduced, now, differencesOf(reduced, now)));
    return Math.min(Infinity, ...distances);
  }

  /**
   * Whether a request begins the run again: all its answers were used, or the maximum number of calls is reached and the request has no
   * history.
   */
  repeats(request: ModelRequest): boolean {
    const now = this.#reduce(request);
    if (this.#calls >= this.#mostCalls && now.parts?.every(({ kind }) => kind === "user") === true)
      return true;
    const equal = this.#slots.filter(({ reduced }) => differencesOf(reduced, now).length === 0);
    return equal.length > 0 && equal.every(({ state }) => state === "used");
  }

  /**
   * Returns the answer to a request. A client that did not receive an answer and repeats the request gets the same answer; both count as
   * one call.
   * @param sent the request as sent, without history that the server stores; null if it contains the whole history
   */
  play(request: ModelRequest, sent: ModelRequest | null, attempt: Attempt = onlyAttempt): Played {
    // The recording may contain requests as sent, or with the whole history.
    const forms = (sent === null ? [request] : [request, sent]).map(this.#reduce);
    const [form] = forms;
    const fingerprint = form === undefined ? "" : fingerprintOf(form);
    const earlier = this.#takeEarlier(fingerprint, attempt);
    if (earlier === null) this.#calls++;
    else this.#repeated++;
    const requests = this.#calls + this.#repeated;
    const played =
      requests > this.#mostCalls
        ? {
            error: `${requests} model calls, but only ${this.#slots.length} were recorded: there is no further answer`,
          }
        : (earlier ?? this.#answerTo(forms));
    this.#played.push({ fingerprint, played, attempt });
    if (this.#played.length > MOST_REMEMBERED) this.#played.shift();
    return played;
  }

  /**
   * If this request was sent before, and its answer did not arrive or the client marks it as a retry, returns the answer; otherwise null.
   */
  #takeEarlier(fingerprint: string, { isRetry }: Attempt): Played | null {
    const at = this.#played.findLastIndex(
      (one) => (isRetry || one.attempt.isLost()) && one.fingerprint === fingerprint,
    );
    if (at < 0) return null;
    const [earlier] = this.#played.splice(at, 1);
    return earlier?.played ?? null;
  }

  #answerTo(forms: readonly ReducedRequest[]): Played {
    const slot = this.#equal(forms) ?? this.#failedBefore(forms) ?? this.#nearest(forms, this.#calls);
    if (slot === undefined)
      return {
        error: "the recorded run has no further model answer, and the last recorded answer requests tools",
      };
    const { answer, error } = slot.exchange;
    return answer === null ? { error: error ?? "the recorded call failed" } : { answer };
  }

  /** Returns the differences between the agent's requests and the recorded requests, each once, in the order of the calls. */
  divergences(): readonly Divergence[] {
    const missed = this.#slots.filter(({ state }) => state === "free");
    const fewer = missed.map(({ reduced }) =>
      divergence(null, { what: "one call fewer", where: "", recorded: describe(reduced), now: null }),
    );
    return [...this.#found.toSorted((a, b) => (a.call ?? 0) - (b.call ?? 0)), ...fewer];
  }

  /**
   * Returns the recorded exchange with an equal request: a free exchange, otherwise an exchange that was lent to a different request. The
   * different request then counts as an additional model call.
   */
  #equal(forms: readonly ReducedRequest[]): Slot | undefined {
    const fits = ({ reduced }: Slot): boolean =>
      forms.some((form) => differencesOf(reduced, form).length === 0);
    const found =
      this.#slots.find((slot) => slot.state === "free" && fits(slot)) ??
      this.#slots.find((slot) => slot.state === "lent" && fits(slot));
    if (found === undefined) return undefined;
    if (found.state === "lent" && found.borrower !== null) this.#wasMore(found.borrower);
    found.state = "used";
    return found;
  }

  /**
   * Returns a free failed call whose request equals this one. Returns undefined if a free answered call has the same history, even with
   * another prompt.
   */
  #failedBefore(forms: readonly ReducedRequest[]): Slot | undefined {
    const wasAnswered = this.#slots.some(
      ({ state, reduced }) =>
        state === "free" &&
        forms.some((form) => differencesOf(reduced, form).every(({ what }) => !isOfHistory(what))),
    );
    if (wasAnswered) return undefined;
    const found = this.#failed.find(
      (slot) =>
        slot.state === "free" &&
        slot.reduced.parts !== null &&
        forms.some((form) => differencesOf(slot.reduced, form).length === 0),
    );
    if (found !== undefined) found.state = "used";
    return found;
  }

  /**
   * Returns the free exchange that is most similar to the request, and records the differences. If no exchange is free, the request counts
   * as an additional call and gets a used answer. The used answer must not request tools, because the agent would continue without end. A
   * request that was already answered also counts as an additional call, and gets its answer again.
   */
  #nearest(forms: readonly ReducedRequest[], call: number): Slot | undefined {
    const free = this.#slots.filter(({ state }) => state === "free");
    const candidates =
      free.length > 0 ? free : this.#slots.filter(({ exchange }) => exchange.answer?.calls.length === 0);
    let best:
      | { readonly slot: Slot; readonly differences: readonly Difference[]; readonly distance: number }
      | undefined;
    for (const slot of candidates)
      for (const form of forms) {
        const differences = differencesOf(slot.reduced, form);
        const distance = distanceOf(slot.reduced, form, differences);
        if (best === undefined || distance < best.distance) best = { slot, differences, distance };
      }
    const [form] = forms;
    if (form === undefined) return undefined;
    // True if an equal request was already answered.
    const isRepeated = this.#slots.some(
      ({ state, reduced }) => state === "used" && differencesOf(reduced, form).length === 0,
    );
    // A recorded failed call without a recorded request is played back only after all recorded answers.
    const failed = this.#failed.find(
      ({ state, exchange, reduced }) => state === "free" && exchange.error !== null && reduced.parts === null,
    );
    if (free.length === 0 && !isRepeated && failed !== undefined) {
      failed.state = "used";
      return failed;
    }
    if (free.length === 0 || isRepeated) {
      this.#note(call, [callMore(form)]);
      return isRepeated
        ? this.#slots.find(({ reduced }) => differencesOf(reduced, form).length === 0)
        : best?.slot;
    }
    if (best === undefined) return undefined;
    best.slot.state = "lent";
    best.slot.borrower = call;
    this.#note(call, best.differences);
    return best.slot;
  }

  #note(call: number, differences: readonly Difference[]): void {
    for (const difference of differences) {
      const found = divergence(call, difference);
      if (difference.what !== ONE_MORE) {
        const key = keyOf(found);
        if (this.#foundKeys.has(key)) continue;
        this.#foundKeys.add(key);
      }
      this.#found.push(found);
    }
  }

  #wasMore(borrower: number): void {
    const own = this.#found.filter(({ call }) => call === borrower);
    const [first] = own;
    if (first === undefined) return;
    for (const one of own) this.#foundKeys.delete(keyOf(one));
    this.#found.splice(0, Infinity, ...this.#found.filter(({ call }) => call !== borrower));
    const now = own.map((one) => one.now).find((text) => text !== null) ?? null;
    this.#note(borrower, [{ what: ONE_MORE, where: "", recorded: null, now }]);
  }
}

function namesOf(tools: ModelRequest["tools"]): string {
  return JSON.stringify(tools?.map(({ name }) => name));
}

/** Returns the names of the tools that the model called, by the list of tools in the requests. */
function calledNames(exchanges: readonly RecordedExchange[]): ReadonlyMap<string, ReadonlySet<string>> {
  const namesByTools = new Map<string, Set<string>>();
  for (const { request, answer } of exchanges) {
    const key = namesOf(request.tools);
    const names = namesByTools.get(key) ?? new Set();
    namesByTools.set(key, names);
    for (const { name } of answer?.calls ?? []) if (name !== null) names.add(name);
  }
  return namesByTools;
}

function fingerprintOf({ model, system, parts, tools }: ReducedRequest): string {
  const hash = createHash("sha256").update(JSON.stringify([model, tools]));
  hash.update(JSON.stringify(system?.key ?? null));
  for (const { kind, key } of parts ?? []) hash.update(`\n${kind} `).update(JSON.stringify(key));
  return hash.digest("base64");
}

function isOfHistory(what: string): boolean {
  return what !== "system prompt" && what !== "tool definitions" && what !== "model";
}

const ONE_MORE = "one call more";

function callMore(form: ReducedRequest): Difference {
  return { what: ONE_MORE, where: "", recorded: null, now: describe(form) };
}

/** Maximum length of a difference's text. Requests may have megabytes, and a session retains all differences. */
const LONGEST_TEXT = 20_000;

function divergence(call: number | null, { what, where, recorded, now }: Difference): Divergence {
  const diff = copyOf(textDiff(recorded, now));
  return { call, what, where, recorded: shortened(recorded), now: shortened(now), diff };
}

function shortened(text: string | null): string | null {
  return text === null || text.length <= LONGEST_TEXT ? text : copyOf(`${text.slice(0, LONGEST_TEXT)}…`);
}

/** A slice would retain the whole request in V8. */
function copyOf(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le");
}

function keyOf({ what, recorded, now, diff }: Divergence): string {
  return JSON.stringify([what, recorded, now, diff]);
}

/** Returns a short description of a request: the last part of the message history, or the system prompt if the history is empty. */
function describe({ parts, system }: ReducedRequest): string {
  const last = parts?.at(-1);
  if (last === undefined) return system?.text ?? "";
  return last.tool === null ? `${last.kind}: ${last.text}` : `${last.kind} of ${last.tool}: ${last.text}`;
}
