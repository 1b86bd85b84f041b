import { createHash } from "node:crypto";
import type { ModelAnswer, ModelRequest, RecordedExchange } from "../../model/model-exchange.ts";
import type { Divergence } from "../../model/playback.ts";
import { type Difference, differencesOf, distanceOf } from "./differences.ts";
import type { RecordedRun } from "./recorded-run.ts";
import type { ReducedRequest, RequestReducer } from "./reduce-request.ts";
import { textDiff } from "./text-diff.ts";

/**
 * A recorded exchange, and its state. `free`: its answer was not given yet. `lent`: its answer was given to a request that differs from the
 * recorded request. `used`: its answer was given to an equal request.
 */
interface Slot {
  readonly exchange: RecordedExchange;
  readonly reduced: ReducedRequest;
  state: "free" | "lent" | "used";
  /** Number of the model call to which the answer was given although the request differs; null if there is none. */
  borrower: number | null;
}

/** Response of a session: a recorded answer, or an error. */
export type Played = { readonly answer: ModelAnswer } | { readonly error: string };

/** Facts by which a repeated request is recognised. */
export interface Attempt {
  /** Whether the client closed its connection before it had the answer. */
  readonly isLost: () => boolean;
  /** Whether the client marks the request as a retry. */
  readonly isRetry: boolean;
}

const onlyAttempt: Attempt = { isLost: () => false, isRetry: false };

interface PlayedRequest {
  /** Hash of the request. The request itself, which may have megabytes, is not retained. */
  readonly fingerprint: string;
  readonly played: Played;
  readonly attempt: Attempt;
}

/** Maximum number of remembered requests. Older requests are forgotten, because a client repeats a request soon or not at all. */
const MOST_REMEMBERED = 32;
/** If the agent makes more model calls than this multiple of the recorded calls, plus a few, it is considered to be in a loop. */
const MOST_TIMES = 3;
const MOST_MORE = 20;

/** Plays back one recorded run for one call of the agent. */
export class ReplaySession {
  readonly run: RecordedRun;
  readonly #reduce: RequestReducer;
  readonly #slots: readonly Slot[];
  readonly #failed: readonly Slot[];
  readonly #found: Divergence[] = [];
  /** Keys of the differences that were already noted, so that each is reported once. Additional calls have no key. */
  readonly #foundKeys = new Set<string>();
  /** The last answered requests. An answer is given again if it did not arrive. */
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
   * Whether a request starts the run again. True if all recorded answers to an equal request were used, or if the maximum number of calls
   * is reached and the request has no history.
   */
  repeats(request: ModelRequest): boolean {
    const now = this.#reduce(request);
    if (this.#calls >= this.#mostCalls && now.parts?.every(({ kind }) => kind === "user") === true)
      return true;
    const equal = this.#slots.filter(({ reduced }) => differencesOf(reduced, now).length === 0);
    return equal.length > 0 && equal.every(({ state }) => state === "used");
  }

  /**
   * Returns the answer to a request. If a client did not receive the answer and repeats the request, it gets the same answer, and both
   * requests count as one call.
   * @param sent the request as the client sent it, if it relies on history that the server stores; null if it contains the complete history
   */
  play(request: ModelRequest, sent: ModelRequest | null, attempt: Attempt = onlyAttempt): Played {
    // Compares both forms, because the recording may contain requests as they were sent, or with the complete history.
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
   * Returns the earlier answer if this request was answered before, and either that answer did not arrive, or the client marks this request
   * as a retry. Otherwise returns null.
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
        error:
          "all recorded answers of the run were used, and none without tool calls is left to end the run: record the run again",
      };
    const { answer, error } = slot.exchange;
    return answer === null ? { error: error ?? "the recorded call failed" } : { answer };
  }

  /**
   * Returns the differences between the agent's requests and the recorded requests, each once, in the order of the calls. Recorded calls
   * that the agent did not make come last.
   */
  divergences(): readonly Divergence[] {
    const missed = this.#slots.filter(({ state }) => state === "free");
    const fewer = missed.map(({ reduced }) =>
      divergence(null, { what: "one call fewer", where: "", recorded: describe(reduced), now: null }),
    );
    return [...this.#found.toSorted((a, b) => (a.call ?? 0) - (b.call ?? 0)), ...fewer];
  }

  /**
   * Returns the recorded exchange with an equal request: a free exchange, otherwise an exchange that was lent to a different request. In
   * the second case, the different request afterwards counts as an additional model call.
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
   * Returns a failed call of the recording that is free and has an equal request. Returns undefined if a free answered exchange has the
   * same history, even if its prompt differs.
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
   * as an additional call, and gets an answer that was already used. Such an answer must not request tools, because the agent would then
   * continue without end. If an equal request was already answered, the request also counts as an additional call, and gets the same answer
   * again.
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
    // Whether an equal request was already answered.
    const isRepeated = this.#slots.some(
      ({ state, reduced }) => state === "used" && differencesOf(reduced, form).length === 0,
    );
    // A failed call whose request was not recorded is played back only after all recorded answers were used.
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

/** Returns a copy of the text. A slice would retain the complete request in memory, because V8's slices reference the original text. */
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
