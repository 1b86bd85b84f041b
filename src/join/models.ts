import type { Call } from "../adapt/call.ts";

/** The model that was asked for and the one that answered; null where the telemetry does not say. */
export interface Models {
  readonly request: string | null;
  readonly response: string | null;
}

/**
 * One name alone on a call that answered may be either, and is shown as both; on one that failed it is what was asked for.
 */
export function modelsOf(call: Call): Models {
  const request = call.field("requestModel");
  const response = call.field("responseModel");
  const either = call.field("model");
  if (request !== undefined || response !== undefined) {
    return {
      request: request ?? either ?? response ?? null,
      response: response ?? (request === undefined ? null : (either ?? null)),
    };
  }
  return { request: either ?? null, response: call.failure === null ? (either ?? null) : null };
}

/** Each name once, in order. */
export function distinct(names: readonly (string | null)[]): string[] {
  return [...new Set(names.filter((name) => name !== null && name !== ""))] as string[];
}
