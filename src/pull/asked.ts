import { parseLimit, type SourceAddress } from "./address.ts";
import { PullError } from "./pull-error.ts";
import type { WindowTexts } from "./window.ts";

/** What of a store is wanted, as the user wrote it. */
export interface PullAsked extends WindowTexts {
  /** Most traces. */
  readonly limit?: number | undefined;
}

/** What an address asks for itself comes first. @throws PullError */
export function askedOf({ kind, name, options }: SourceAddress, asked: PullAsked): PullAsked {
  const limit = options.get("limit");
  if (kind === "s3" && (limit ?? asked.limit) !== undefined)
    throw new PullError(
      `${name} has a limit, which counts traces: files are copied whole`,
      "choose a shorter time with since and until",
    );
  return {
    since: options.get("since") ?? asked.since,
    until: options.get("until") ?? asked.until,
    limit: limit === undefined ? asked.limit : parseLimit(limit),
  };
}
