import { derivedOnce } from "../../support/structures/bounded-memo.ts";
import type { BoundCheck } from "../query/compiled.ts";
import type { Check, CheckContext, CompiledCheck, CheckSettings } from "../checks/check.ts";
import type { Preset } from "../metrics/match-mode.ts";

type Settings = CheckContext["settings"];

/** Records which keys a check reads while it is compiled: a query with equal values can share the compiled check. */
class RecordedCheckSettings implements CheckSettings {
  readonly preset: Preset | undefined;
  readonly #settings: Settings;
  /** The read keys and their values as JSON: a key of the layer, or "" for the whole layer. */
  readonly asked = new Map<string, string | undefined>();

  constructor(settings: Settings, preset: Preset | undefined) {
    this.#settings = settings;
    this.preset = preset;
  }

  beside(key: string): unknown {
    this.asked.set(key, JSON.stringify(this.#settings[key]));
    return this.#settings[key];
  }

  layer(): Settings {
    this.asked.set("", JSON.stringify(this.#settings));
    return this.#settings;
  }
}

interface Shared {
  readonly asked: ReadonlyMap<string, string | undefined>;
  readonly prepared: CompiledCheck;
}

/** Specs are reloaded while the process lives: a table starts anew rather than grow. */
const MOST_SHARED = 4096;
const MOST_ALIKE = 63;
const tableOf = derivedOnce<Check, Map<string, Shared[]>>(() => new Map());

/**
 * A check made ready for a query. Most queries of a spec write most limits alike: they share what is prepared, so that it stays near
 * while runs of one query follow those of another.
 */
export function prepare(
  { check, limit }: BoundCheck,
  settings: Settings,
  preset: Preset | undefined,
): CompiledCheck {
  const table = tableOf(check);
  const key = `${preset ?? ""}:${JSON.stringify(limit)}`;
  const alike = table.get(key) ?? [];
  const found = alike.find(({ asked }) => writesTheSame(settings, asked));
  if (found !== undefined) return found.prepared;
  const terms = new RecordedCheckSettings(settings, preset);
  const prepared = check.prepare(limit, terms);
  if (table.size >= MOST_SHARED) table.clear();
  table.set(key, [...alike.slice(-MOST_ALIKE), { asked: terms.asked, prepared }]);
  return prepared;
}

/** The same for a limit that a run's own words were filled into: no other query will write it. */
export function prepareOnce(
  { check, limit }: BoundCheck,
  settings: Settings,
  preset: Preset | undefined,
): CompiledCheck {
  return check.prepare(limit, new RecordedCheckSettings(settings, preset));
}

function writesTheSame(settings: Settings, asked: Shared["asked"]): boolean {
  for (const [key, json] of asked) {
    if (JSON.stringify(key === "" ? settings : settings[key]) !== json) return false;
  }
  return true;
}
