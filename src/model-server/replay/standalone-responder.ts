import type { ModelFailure, ReceivedModelRequest } from "../protocols/protocol.ts";
import type { CallContext, Responded, Responder } from "../server/responder.ts";
import type { RecordedRun } from "./recorded-run.ts";
import type { RequestReducer } from "./reduce-request.ts";
import { ReplayResponder } from "./replay-responder.ts";
import { ReplaySession } from "./replay-session.ts";

/**
 * Answers requests from any of the recorded runs. Each run can be played back any number of times: a request that begins a run that was
 * already played back starts the run again.
 */
export class StandaloneResponder implements Responder {
  readonly #runs: readonly RecordedRun[];
  readonly #reduce: RequestReducer;
  readonly #responder: ReplayResponder;
  readonly #sessions: ReplaySession[];

  constructor(runs: readonly RecordedRun[], reduce: RequestReducer, newId: (prefix: string) => string) {
    this.#runs = runs;
    this.#reduce = reduce;
    this.#responder = new ReplayResponder(newId);
    this.#sessions = runs.map((run) => new ReplaySession(run, reduce));
  }

  respond(received: ReceivedModelRequest, context: CallContext): Promise<Responded | ModelFailure> {
    const { request } = received;
    let best = 0;
    let least = Infinity;
    for (const [at, session] of this.#sessions.entries()) {
      const distance = session.distanceTo(request);
      if (distance < least) [best, least] = [at, distance];
    }
    const run = this.#runs[best];
    if (run !== undefined) {
      if (this.#sessions[best]?.repeats(request) === true)
        this.#sessions[best] = new ReplaySession(run, this.#reduce);
      const session = this.#sessions[best];
      if (session !== undefined) this.#responder.open(STANDALONE, session);
    }
    return this.#responder.respond(received, { ...context, callId: STANDALONE });
  }
}

const STANDALONE = "standalone";
