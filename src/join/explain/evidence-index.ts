import type { Call } from "../../adapt/call.ts";
import type { Piece } from "../../adapt/piece.ts";
import type { Evidence } from "../evidence.ts";

/** Finds the spans and calls that a run's facts are about; of several the first. */
export class EvidenceIndex {
  readonly #pieces = new Map<string | null, Piece>();
  readonly #byId = new Map<string | null, Call>();
  readonly #byName = new Map<string | null, Call>();

  constructor({ pieces, calls }: Evidence) {
    for (const piece of pieces) setFirst(this.#pieces, piece.span.spanId, piece);
    for (const call of calls) {
      for (const { id, name } of call.requests) {
        setFirst(this.#byId, id, call);
        setFirst(this.#byName, name, call);
      }
    }
  }

  pieceOf(spanId: string | null): Piece | undefined {
    return this.#pieces.get(spanId);
  }

  /** The call that asked for a tool under this id. */
  callAsking(callId: string): Call | undefined {
    return this.#byId.get(callId);
  }

  callAskingFor(tool: string | null): Call | undefined {
    return this.#byName.get(tool);
  }
}

function setFirst<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  if (!map.has(key)) map.set(key, value);
}
