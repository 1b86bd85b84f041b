import type { ModelAnswer, ModelRequest, RecordedExchange } from "../../model/model-exchange.ts";
import type { Divergence } from "../../model/playback.ts";
import { type Difference, differencesOf, distanceOf } from "./differences.ts";
import type { RecordedRun } from "./recorded-run.ts";
import type { ReducedRequest, RequestReducer } from "./reduce-request.ts";
import { textDiff } from "./text-diff.ts";

/** A recorded exchange, and who has had its answer: nobody, a request that differs from it, or one that equals it. */
interface Slot {
  readonly exchange: RecordedExchange;
  readonly reduced: ReducedRequest;
  state: "free" | "lent" | "used";
  /** The request that it was lent to. */
  borrower: number | null;
}

/** Response of a session: an answer, or the recorded error. */
export type Played = { readonly answer: ModelAnswer } | { readonly error: string };

/** Whether a request is sent once more. */
export interface Attempt {
  /** Whether the client closed its connection before it had the answer. */
  readonly isLost: () => boolean;
  /** Whether the client says that it sent the request before. */
  readonly isRetry: boolean;
}

const onlyAttempt: Attempt = { isLost: () => false, isRetry: false };

interface PlayedRequest {
  readonly form: ReducedRequest;
  readonly played: Played;
  readonly attempt: Attempt;
}

/** A request is sent again soon, or not at all. */
const MOST_REMEMBERED = 32;
/** More calls than this many times those recorded, and a few, are a loop. */
const MOST_TIMES = 3;
const MOST_MORE = 20;

/** One call of the agent, to which the answers of one recorded run are given. */
export class ReplaySession {
  readonly run: RecordedRun;
  readonly #reduce: RequestReducer;
  readonly #slots: readonly Slot[];
  readonly #failed: readonly Slot[];
  readonly #found: Divergence[] = [];
  /** Of the divergences other than additional calls. */
  readonly #foundKeys = new Set<string>();
  /** Requests whose answer may not have arrived. */
  readonly #played: PlayedRequest[] = [];
  #calls = 0;
  #repeated = 0;

  constructor(run: RecordedRun, reduce: RequestReducer) {
    this.run = run;
    this.#reduce = reduce;
    const slots = run.exchanges.map((exchange): Slot => {
      const reduced = reduce(exchange.request);
      return { exchange, reduced, state: "free", borrower: null };
    });
    this.#slots = slots.filter(({ exchange }) => exchange.answer !== null);
    this.#failed = slots.filter(({ exchange }) => exchange.answer === null);
  }

  get #mostCalls(): number {
    return this.#slots.length * MOST_TIMES + MOST_MORE;
  }

  /** Model calls that the agent made. */
  get calls(): number {
    return this.#calls;
  }

  /** How far a request is from what this run may still be asked; 0 for an equal one. */
  distanceTo(request: ModelRequest): number {
    const now = this.#reduce(request);
    const distances = this.#slots.map(({ reduced }) => distanceOf(reduced, now, differencesOf(reduced, now)));
    return Math.min(Infinity, ...distances);
  }

  /** Whether a request begins the run anew: every answer to it was given, or no call is left and it has no history. */
  repeats(request: ModelRequest): boolean {
    const now = this.#reduce(request);
    if (this.#calls >= this.#mostCalls && now.parts?.every(({ kind }) => kind === "user") === true)
      return true;
    const equal = this.#slots.filter(({ reduced }) => differencesOf(reduced, now).length === 0);
    return equal.length > 0 && equal.every(({ state }) => state === "used");
  }

  /**
   * Returns the answer to a request. A client whose answer did not arrive sends the same request again, and gets the
   * same answer: that is no other call.
   * @param sent the request without the history that the client left to the server; null for one that leaves out none
   */
  play(request: ModelRequest, sent: ModelRequest | null, attempt: Attempt = onlyAttempt): Played {
    // A recording may hold the history as it was sent, or as it was meant.
    const forms = (sent === null ? [request] : [request, sent]).map(this.#reduce);
    const [form] = forms;
    const earlier = form === undefined ? null : this.#takeEarlier(form, attempt);
    if (earlier === null) this.#calls++;
    else this.#repeated++;
    const requests = this.#calls + this.#repeated;
    const played =
      requests > this.#mostCalls
        ? {
            error: `${requests} model calls, where ${this.#slots.length} were recorded: nothing more is played back`,
          }
        : (earlier ?? this.#answerTo(forms));
    if (form !== undefined) this.#played.push({ form, played, attempt });
    if (this.#played.length > MOST_REMEMBERED) this.#played.shift();
    return played;
  }

  /** The answer to this request that did not arrive; null for a request that was not sent before. */
  #takeEarlier(form: ReducedRequest, { isRetry }: Attempt): Played | null {
    const at = this.#played.findLastIndex(
      (one) => (isRetry || one.attempt.isLost()) && differencesOf(one.form, form).length === 0,
    );
    if (at < 0) return null;
    const [earlier] = this.#played.splice(at, 1);
    return earlier?.played ?? null;
  }

  #answerTo(forms: readonly ReducedRequest[]): Played {
    const slot = this.#equal(forms) ?? this.#failedBefore(forms) ?? this.#nearest(forms, this.#calls);
    if (slot === undefined) return { error: "the recorded run has no model answer" };
    const { answer, error } = slot.exchange;
    return answer === null ? { error: error ?? "the recorded call failed" } : { answer };
  }

  /** Where the agent's requests were not those recorded, each difference once, in the order of the calls. */
  divergences(): readonly Divergence[] {
    const missed = this.#slots.filter(({ state }) => state === "free");
    const fewer = missed.map(({ reduced }) =>
      divergence(null, { what: "one call fewer", where: "", recorded: describe(reduced), now: null }),
    );
    return [...this.#found.toSorted((a, b) => (a.call ?? 0) - (b.call ?? 0)), ...fewer];
  }

  /**
   * A free exchange takes precedence over one that a differing request used: that request counts as an
   * additional call.
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

  /** The failed call with this very history, unless it was tried again and answered, be it under another prompt. */
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

  /** The next unused exchange that is most like the request, else any; what differs is noted. */
  #nearest(forms: readonly ReducedRequest[], call: number): Slot | undefined {
    const free = this.#slots.filter(({ state }) => state === "free");
    const candidates = free.length > 0 ? free : this.#slots;
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
    if (best === undefined || form === undefined) return undefined;
    // Repeated word for word, or asked when all answers are given.
    const isRepeated = this.#slots.some(
      ({ state, reduced }) => state === "used" && differencesOf(reduced, form).length === 0,
    );
    if (free.length === 0 || isRepeated) {
      this.#note(call, [callMore(form)]);
      return isRepeated
        ? this.#slots.find(({ reduced }) => differencesOf(reduced, form).length === 0)
        : best.slot;
    }
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

function isOfHistory(what: string): boolean {
  return what !== "system prompt" && what !== "tool definitions" && what !== "model";
}

const ONE_MORE = "one call more";

function callMore(form: ReducedRequest): Difference {
  return { what: ONE_MORE, where: "", recorded: null, now: describe(form) };
}

/** Longest text of a divergence: a request may have megabytes, and a session retains all that it finds. */
const LONGEST_TEXT = 20_000;

function divergence(call: number | null, { what, where, recorded, now }: Difference): Divergence {
  const diff = textDiff(recorded, now);
  return { call, what, where, recorded: shortened(recorded), now: shortened(now), diff };
}

function shortened(text: string | null): string | null {
  return text === null || text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT)}…`;
}

function keyOf({ what, recorded, now, diff }: Divergence): string {
  return JSON.stringify([what, recorded, now, diff]);
}

/** A request in a few words: the last thing that the model was told. */
function describe({ parts, system }: ReducedRequest): string {
  const last = parts?.at(-1);
  if (last === undefined) return system?.text ?? "";
  return last.tool === null ? `${last.kind}: ${last.text}` : `${last.kind} of ${last.tool}: ${last.text}`;
}
