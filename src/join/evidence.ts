import type { Call } from "../adapt/call.ts";
import type { Fragment } from "../adapt/fragment.ts";
import type { Piece } from "../adapt/piece.ts";
import type { Role } from "../adapt/role.ts";
import { Findings } from "../model/findings.ts";
import { coversSeveral } from "./covering.ts";
import { Records } from "./records.ts";
import { sortCalls, type SortedCalls } from "./sort-calls.ts";

/** All that the telemetry holds of one run, in order, over all its traces. */
export class Evidence {
  /** By start. */
  readonly fragments: readonly [Fragment, ...Fragment[]];
  #pieces: readonly Piece[] | undefined;
  #records: Records | undefined;
  #calls: SortedCalls | undefined;
  #toolPieces: readonly Piece[] | undefined;
  readonly #findings = new Findings<Evidence>();

  readonly #copies: ReadonlyMap<Call, readonly Call[]>;

  /** Parts of the run are in traces that did not come. */
  readonly isSpread: boolean;

  constructor(
    fragments: readonly [Fragment, ...Fragment[]],
    copies: ReadonlyMap<Call, readonly Call[]> = new Map(),
    isSpread = false,
  ) {
    this.fragments = fragments;
    this.isSpread = isSpread;
    this.#copies = copies;
  }

  get root(): Piece {
    return this.fragments[0].root;
  }

  get pieces(): readonly Piece[] {
    const { fragments } = this;
    return (this.#pieces ??=
      fragments.length === 1 ? fragments[0].pieces : fragments.flatMap((one) => one.pieces));
  }

  /** Model calls that were answered, by start. */
  get calls(): readonly Call[] {
    return this.#sorted().served;
  }

  /** Attempts that failed. */
  get failedCalls(): readonly Call[] {
    return this.#sorted().failed;
  }

  /** Answered and failed, by start. */
  get allCalls(): readonly Call[] {
    return this.#sorted().all;
  }

  /** The call that had the last word. */
  get lastCall(): Call | undefined {
    return this.once(lastCallOf);
  }

  /** What `find` finds out about all this, found out once. */
  once<T>(find: (evidence: Evidence) => T): T {
    return this.#findings.of(this, find);
  }

  /** Records about calls that stand elsewhere than on the calls' spans. */
  get records(): Records {
    return (this.#records ??= new Records(this.pieces));
  }

  get toolPieces(): readonly Piece[] {
    return (this.#toolPieces ??= this.withRole("tool"));
  }

  withRole(...roles: readonly Role[]): Piece[] {
    return this.pieces.filter(({ role }) => roles.includes(role));
  }

  #sorted(): SortedCalls {
    return (this.#calls ??= sortCalls(
      this.fragments.flatMap((fragment) => fragment.calls.map((call) => this.#complete(call))),
    ));
  }

  /** A call with what its copies in other traces know of it. */
  #complete(call: Call): Call {
    const copies = this.#copies.get(call);
    return copies === undefined ? call : call.with(copies.map(({ piece }) => piece));
  }
}

function lastCallOf(evidence: Evidence): Call | undefined {
  const { calls } = evidence;
  const last = calls[calls.length - 1];
  const covering = last && calls.find((call) => call.end > last.end && coversSeveral(call, evidence));
  return covering ?? last;
}
