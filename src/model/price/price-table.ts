import type { ModelName } from "./model-names.ts";
import type { TokenPrices } from "./token-prices.ts";

/** Where prices come from when the config has none. */
export interface PriceTable {
  readonly source: string;
  /** The prices of a model at a time, under one of the names it may go by; undefined when it is not listed. */
  find(name: ModelName, atUnixMs: number): TokenPrices | undefined;
  /** Whether `find` may answer differently at another time for this name. */
  variesOverTime(name: ModelName): boolean;
}
