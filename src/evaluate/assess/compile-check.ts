import { derivedOnce } from "../../support/structures/bounded-memo.ts";
import type { BoundCheck } from "../query/compiled.ts";
import type { Check, CheckContext, CompiledCheck, CheckSettings } from "../checks/check.ts";
import type { Preset } from "../metrics/match-mode.ts";

type Settings = CheckContext["settings"];

/**
 * Records which keys a check reads while the check is compiled. Queries with equal values of these keys can
 * share the compiled check.
 */
class RecordedCheckSettings implements CheckSettings {
  readonly preset: Preset | undefined;
  readonly #settings: Settings;
  /** JSON of the values that were read, by key of the layer. The key "" stands for the whole layer. */
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

/**
 * Maximum number of limits of one check in the table of shared compiled checks. With more limits, the table
 * is cleared, because specs are reloaded while the process runs.
 */
const MOST_SHARED = 4096;
const MOST_ALIKE = 63;
const tableOf = derivedOnce<Check, Map<string, Shared[]>>(() => new Map());

/**
 * Compiles a check for a query. Queries with equal limits share one compiled check, so that the data of the
 * check stays in the CPU cache while runs of different queries alternate.
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
  const recorded = new RecordedCheckSettings(settings, preset);
  const prepared = check.prepare(limit, recorded);
  if (table.size >= MOST_SHARED) table.clear();
  table.set(key, [...alike.slice(-MOST_ALIKE), { asked: recorded.asked, prepared }]);
  return prepared;
}

/**
 * Compiles a check whose limit contains text of one run. The compiled check is not shared, because other
 * runs have other limits.
 */
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
