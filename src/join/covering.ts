import type { Call } from "../adapt/call.ts";
import { plainName } from "../adapt/messages/pick.ts";
import type { Piece } from "../adapt/piece.ts";
import { readTool } from "../adapt/read-tool.ts";
import type { ReturnedResult } from "../model/message.ts";
import { grouped } from "./grouped.ts";
import { Stretches } from "./stretches.ts";

/** The spans and model calls of the run that a call belongs to. */
interface Surroundings {
  readonly toolPieces: readonly Piece[];
  readonly calls: readonly Call[];
  /** What `find` finds out about all this, found out once. */
  once<T>(find: (surroundings: Surroundings) => T): T;
}

/**
 * Whether one span stands for several model calls: tools ran within its time, and either its own history has their results,
 * or it ended by itself and asked for nothing. How many calls it was cannot be told.
 */
export function coversSeveral(call: Call, evidence: Surroundings): boolean {
  if (evidence.toolPieces.length === 0) return false;
  const { piece } = call;
  const tools = evidence.once(toolsByParent);
  // Right below the call's span, or next to it.
  const [below, beside] = [tools.get(piece), piece.parent && tools.get(piece.parent)];
  const around = [below, beside].filter((one) => one !== undefined).filter((one) => one.anyWithin(call));
  if (around.length === 0) return false;
  const lastStart = evidence.once(lastStarts).get(piece.parent) ?? -Infinity;
  const wentOn = !around.some((one) => one.anyBeyond(lastStart, call));
  if (!wentOn && call.finish === "stop" && call.requests.length === 0) return true;
  return call.inputs.some(({ results }) =>
    results.some((result) => around.some((one) => one.returned(result, call))),
  );
}

/** By the span that they lie below, the start of the last call. */
function lastStarts({ calls }: Surroundings): Map<Piece | undefined, number> {
  const starts = new Map<Piece | undefined, number>();
  for (const { piece, start } of calls)
    starts.set(piece.parent, Math.max(start, starts.get(piece.parent) ?? -Infinity));
  return starts;
}

function toolsByParent({ toolPieces }: Surroundings): Map<Piece, Siblings> {
  const tools = grouped(toolPieces, ({ parent }) => parent);
  return new Map(Array.from(tools, ([parent, pieces]) => [parent, new Siblings(pieces)]));
}

/** The tools right below one span, by their times, ids and names. */
class Siblings {
  readonly #pieces: readonly Piece[];
  readonly #all: Stretches;
  readonly #beyond = new Map<number, Stretches>();
  #named: NamedTools | undefined;

  constructor(pieces: readonly Piece[]) {
    this.#pieces = pieces;
    this.#all = new Stretches(pieces);
  }

  /** Whether a tool ran within the call's time. */
  anyWithin(call: Call): boolean {
    return this.#all.anyWithin(call);
  }

  /** Whether one of these was still at work at a time. */
  anyBeyond(time: number, call: Call): boolean {
    let late = this.#beyond.get(time);
    if (late === undefined) {
      late = new Stretches(this.#pieces.filter(({ end }) => end > time));
      this.#beyond.set(time, late);
    }
    return late.anyWithin(call);
  }

  /** Whether what came back is from a tool that ran within the call's time. */
  returned(result: ReturnedResult, call: Call): boolean {
    return (this.#named ??= new NamedTools(this.#pieces)).within(result, call);
  }
}

class NamedTools {
  readonly #byId: ReadonlyMap<string, Stretches>;
  readonly #byName: ReadonlyMap<string, Stretches>;
  /** Of tools that have no id. */
  readonly #withoutId: ReadonlyMap<string, Stretches>;

  constructor(pieces: readonly Piece[]) {
    const name = (piece: Piece): string | undefined => {
      const given = readTool(piece).name;
      return given === undefined ? undefined : plainName(given);
    };
    this.#byId = stretchesBy(pieces, (piece) => readTool(piece).callId);
    this.#byName = stretchesBy(pieces, name);
    this.#withoutId = stretchesBy(
      pieces.filter((piece) => readTool(piece).callId === undefined),
      name,
    );
  }

  /** By id where both have one, else by name. */
  within({ callId, name }: ReturnedResult, call: Call): boolean {
    if (callId !== null && this.#byId.get(callId)?.anyWithin(call) === true) return true;
    if (name === null) return false;
    const named = callId === null ? this.#byName : this.#withoutId;
    return named.get(plainName(name))?.anyWithin(call) === true;
  }
}

function stretchesBy(
  pieces: readonly Piece[],
  keyOf: (piece: Piece) => string | undefined,
): Map<string, Stretches> {
  const groups = grouped(pieces, keyOf);
  return new Map(Array.from(groups, ([key, group]) => [key, new Stretches(group)]));
}
