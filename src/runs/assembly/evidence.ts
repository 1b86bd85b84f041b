import type { LlmCall } from "../fragments/llm-call.ts";
import type { Fragment } from "../fragments/fragment.ts";
import type { SpanNode } from "../span/span-node.ts";
import type { Role } from "../role.ts";
import { Findings } from "../../model/findings.ts";
import { coversSeveral } from "./covering.ts";
import { Records } from "./records.ts";
import { sortCalls, type SortedCalls } from "./sort-calls.ts";

/** All that the telemetry holds of one run, in order, over all its traces. */
export class Evidence {
  /** By start. */
  readonly fragments: readonly [Fragment, ...Fragment[]];
  #nodes: readonly SpanNode[] | undefined;
  #records: Records | undefined;
  #calls: SortedCalls | undefined;
  #toolNodes: readonly SpanNode[] | undefined;
  readonly #findings = new Findings<Evidence>();

  readonly #copies: ReadonlyMap<LlmCall, readonly LlmCall[]>;

  /** Parts of the run are in traces that did not come. */
  readonly isSpread: boolean;

  constructor(
    fragments: readonly [Fragment, ...Fragment[]],
    copies: ReadonlyMap<LlmCall, readonly LlmCall[]> = new Map(),
    isSpread = false,
  ) {
    this.fragments = fragments;
    this.isSpread = isSpread;
    this.#copies = copies;
  }

  get root(): SpanNode {
    return this.fragments[0].root;
  }

  get nodes(): readonly SpanNode[] {
    const { fragments } = this;
    return (this.#nodes ??=
      fragments.length === 1 ? fragments[0].nodes : fragments.flatMap((one) => one.nodes));
  }

  /** Model calls that were answered, by start. */
  get calls(): readonly LlmCall[] {
    return this.#sorted().served;
  }

  /** Attempts that failed. */
  get failedCalls(): readonly LlmCall[] {
    return this.#sorted().failed;
  }

  /** Answered and failed, by start. */
  get allCalls(): readonly LlmCall[] {
    return this.#sorted().all;
  }

  /** The call that had the last word. */
  get lastCall(): LlmCall | undefined {
    return this.once(lastCallOf);
  }

  /** What `find` finds out about all this, found out once. */
  once<T>(find: (evidence: Evidence) => T): T {
    return this.#findings.of(this, find);
  }

  /** Records about calls that stand elsewhere than on the calls' spans. */
  get records(): Records {
    return (this.#records ??= new Records(this.nodes));
  }

  get toolNodes(): readonly SpanNode[] {
    return (this.#toolNodes ??= this.withRole("tool"));
  }

  withRole(...roles: readonly Role[]): SpanNode[] {
    return this.nodes.filter(({ role }) => roles.includes(role));
  }

  #sorted(): SortedCalls {
    return (this.#calls ??= sortCalls(
      this.fragments.flatMap((fragment) => fragment.calls.map((call) => this.#complete(call))),
    ));
  }

  /** A call with what its copies in other traces know of it. */
  #complete(call: LlmCall): LlmCall {
    const copies = this.#copies.get(call);
    return copies === undefined ? call : call.with(copies.map(({ node }) => node));
  }
}

function lastCallOf(evidence: Evidence): LlmCall | undefined {
  const { calls } = evidence;
  const last = calls[calls.length - 1];
  const covering = last && calls.find((call) => call.end > last.end && coversSeveral(call, evidence));
  return covering ?? last;
}
