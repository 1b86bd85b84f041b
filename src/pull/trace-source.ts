import type { Readable } from "node:stream";
import type { Clock } from "../judge/limits/clock.ts";
import type { JsonValue } from "../model/json.ts";
import type { SourceAddress } from "./address.ts";
import type { PullLimits } from "./pull-limits.ts";
import type { StoreClient } from "./store-client.ts";
import type { PullWindow } from "./window.ts";

/** A file of telemetry in a store. */
export interface StoredFile {
  /** Path below the requested prefix. */
  readonly name: string;
  /** @throws PullError when it cannot be read */
  readonly open: () => Promise<Readable>;
}

/** A part of what a store holds. */
export interface Page {
  /** As the store gives them out, in any form that dumps may have. */
  readonly answers: readonly JsonValue[];
  /** In a store of files: what is to be copied as it is. */
  readonly files?: readonly StoredFile[];
  /** Where the next page begins, for a pull that goes on later; null after the last. */
  readonly next: string | null;
}

/** Inputs of a source. */
export interface SourceRequest {
  readonly address: SourceAddress;
  readonly window: PullWindow;
  readonly client: StoreClient;
  readonly clock: Clock;
  readonly limits: PullLimits;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Reports that the store did not give everything. */
  readonly onGap: (message: string) => void;
}

/** The pages of a store, from a cursor that an earlier page gave, or from the beginning. */
export type TraceSource = (request: SourceRequest, cursor: string | null) => AsyncIterable<Page>;
