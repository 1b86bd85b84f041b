import { fieldIndex } from "../../adapt/fields.ts";
import type { PlainCall } from "../../adapt/orderly/plain-call.ts";
import type { Usage } from "../../model/run.ts";
import type { JoinOptions } from "../join-options.ts";
import { type Models, modelsOf } from "../models.ts";
import { Records } from "../records.ts";
import { usageOf, usageOfCounts } from "../tokens.ts";

const REQUEST_MODEL = fieldIndex("requestModel");
const RESPONSE_MODEL = fieldIndex("responseModel");
const MODEL = fieldIndex("model");
const PROVIDER = fieldIndex("provider");
const COST = fieldIndex("cost");
const OUTPUT_MESSAGES = fieldIndex("outputMessages");
const noRecords = new Records([]);

/** The call's models, which its attributes mostly name both: then nothing else is asked. */
export function modelsOfPlain(call: PlainCall): Models {
  const request = call.text(REQUEST_MODEL);
  if (request === undefined || !call.isBare || call.has(MODEL)) return modelsOf(call.call, noRecords);
  const response = call.text(RESPONSE_MODEL);
  if (response !== undefined && response !== request) return { request, response };
  if (call.has(OUTPUT_MESSAGES)) return modelsOf(call.call, noRecords);
  return { request, response: request };
}

export function usageOfPlain(call: PlainCall): Usage {
  return call.isBare && !call.hasHabits ? usageOfCounts(call.counts) : usageOf(call.call);
}

/** What a call cost, and the table that the price is from. */
export interface Cost {
  readonly usd: number | null;
  readonly source: string | null;
}

const unknownCost: Cost = { usd: null, source: null };

/** As its span says, else by the price of the model that answered. */
export function costOfPlain(
  call: PlainCall,
  { request, response }: Models,
  usage: Usage,
  price: JoinOptions["price"],
): Cost {
  const own = call.number(COST);
  if (own !== undefined) return { usd: own, source: null };
  const model = response ?? request;
  if (price === undefined || model === null || usage.input === null) return unknownCost;
  return price(call.text(PROVIDER) ?? null, model, usage, call.start) ?? unknownCost;
}
