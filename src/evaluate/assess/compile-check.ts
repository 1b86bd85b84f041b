import { derivedOnce } from "../../support/structures/bounded-memo.ts";
import type { BoundCheck } from "../query/compiled.ts";
import type { Check, CheckContext, CompiledCheck, CheckSettings } from "../checks/check.ts";
import type { Preset } from "../metrics/match-mode.ts";

type Settings = CheckContext["settings"];

/**
 * Settings of a layer that record which keys a check reads during its compilation. Queries with equal values of the recorded keys share the
 * compiled check.
 */
class RecordedCheckSettings implements CheckSettings {
  readonly preset: Preset | undefined;
  readonly #settings: Settings;
  /** JSON of each value that the check read, by key. The key "" means all settings of the layer. */
  readonly readKeys = new Map<string, string | undefined>();

  constructor(settings: Settings, preset: Preset | undefined) {
    this.#settings = settings;
    this.preset = preset;
  }

  beside(key: string): unknown {
    this.readKeys.set(key, JSON.stringify(this.#settings[key]));
    return this.#settings[key];
  }

  layer(): Settings {
    this.readKeys.set("", JSON.stringify(this.#settings));
    return this.#settings;
  }
}

interface Shared {
  readonly readKeys: ReadonlyMap<string, string | undefined>;
  readonly prepared: CompiledCheck;
}

/**
 * Maximum number of distinct limits of one check for which compiled checks are stored. When it is reached, all stored compiled checks of
 * this check are deleted, because each reload of the specs can bring further limits.
 */
const MOST_SHARED = 4096;
const MOST_ALIKE = 63;
const tableOf = derivedOnce<Check, Map<string, Shared[]>>(() => new Map());

/**
 * Returns the compiled check of a query. Queries with equal limits and settings share one compiled check. Sharing keeps the check's data in
 * the CPU cache when runs of different queries alternate.
 */
export function prepare(
  { check, limit }: BoundCheck,
  settings: Settings,
  preset: Preset | undefined,
): CompiledCheck {
  const table = tableOf(check);
  const key = `${preset ?? ""}:${JSON.stringify(limit)}`;
  const alike = table.get(key) ?? [];
  const found = alike.find(({ readKeys }) => writesTheSame(settings, readKeys));
  if (found !== undefined) return found.prepared;
  const recorded = new RecordedCheckSettings(settings, preset);
  const prepared = check.prepare(limit, recorded);
  if (table.size >= MOST_SHARED) table.clear();
  table.set(key, [...alike.slice(-MOST_ALIKE), { readKeys: recorded.readKeys, prepared }]);
  return prepared;
}

/** Compiles a check whose limit contains text of one run. The compiled check is not shared, because other runs have other limits. */
export function prepareOnce(
  { check, limit }: BoundCheck,
  settings: Settings,
  preset: Preset | undefined,
): CompiledCheck {
  return check.prepare(limit, new RecordedCheckSettings(settings, preset));
}

function writesTheSame(settings: Settings, readKeys: Shared["readKeys"]): boolean {
  for (const [key, json] of readKeys) {
    if (JSON.stringify(key === "" ? settings : settings[key]) !== json) return false;
  }
  return true;
}
