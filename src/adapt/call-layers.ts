import { Nearest } from "./nearest.ts";
import type { Piece } from "./piece.ts";

/** The call spans around call spans: those above, up to an agent, tool or hand-off. */
export class CallLayers {
  readonly #above = new Nearest((piece) => {
    if (piece.role === "call") return piece;
    return piece.role === "agent" || piece.role === "tool" || piece.role === "handoff" ? null : undefined;
  });
  readonly #withinCounted = this.#around((piece) => (isCounted(piece) ? true : undefined));
  readonly #model = this.#around((piece) => piece.text("requestModel"));

  /** The nearest call span around a span. */
  above(piece: Piece): Piece | undefined {
    return this.#above.of(piece.parent) ?? undefined;
  }

  /** Whether a call span around has a model or usage. */
  isWithinCounted(piece: Piece): boolean {
    return this.#withinCounted.of(piece.parent) === true;
  }

  /** The model asked for, by the nearest call span around that says it. */
  requestModel(piece: Piece): string | undefined {
    return this.#model.of(piece.parent) ?? undefined;
  }

  /** What the nearest call span around tells, null where none does. */
  #around<T>(tell: (piece: Piece) => T | undefined): Nearest<T | null> {
    return new Nearest<T | null>((piece) => {
      if (piece.role === "call") return tell(piece);
      return piece.role === "agent" || piece.role === "tool" || piece.role === "handoff" ? null : undefined;
    });
  }
}

/** It has a model or usage: a call, not a chunk of one or an attempt. */
export function isCounted({ reading }: Piece): boolean {
  return (
    reading.has("requestModel") ||
    reading.has("responseModel") ||
    reading.has("model") ||
    reading.has("inputTokens") ||
    reading.has("usage")
  );
}
