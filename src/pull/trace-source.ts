import type { Readable } from "node:stream";
import type { Clock } from "../judge/limits/clock.ts";
import type { JsonValue } from "../model/json.ts";
import type { SourceAddress } from "./address.ts";
import type { PullLimits } from "./pull-limits.ts";
import type { StoreClient } from "./store-client.ts";
import type { PullWindow } from "./window.ts";

/** A telemetry file in a store. */
export interface StoredFile {
  /** Path of the file below the requested prefix. */
  readonly name: string;
  /**
   * Opens the file.
   * @throws UserError if the file cannot be read
   */
  readonly open: () => Promise<Readable>;
}

/** One page of a store's data. */
export interface Page {
  /** Responses of the store, each in one of the formats that a dump can have. */
  readonly answers: readonly JsonValue[];
  /** Files to copy, if the store contains files instead of traces. */
  readonly files?: readonly StoredFile[];
  /** Cursor of the next page, from which a later pull can continue; null after the last page. */
  readonly next: string | null;
}

export interface SourceRequest {
  readonly address: SourceAddress;
  readonly window: PullWindow;
  readonly client: StoreClient;
  readonly clock: Clock;
  readonly limits: PullLimits;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Called with a description of data that the store did not return. */
  readonly onGap: (message: string) => void;
}

/** Yields the pages of a store, from the beginning or from an earlier page's cursor. */
export type TraceSource = (request: SourceRequest, cursor: string | null) => AsyncIterable<Page>;
