import { UserError } from "../support/process/io.ts";

/** Maximum size of a page in bytes. The size is limited, because the page's JSON is held in memory. */
export const MAX_PAGE_BYTES = 256 * 2 ** 20;

export interface PullBounds {
  /** Maximum size of all responses for one page, in bytes. */
  readonly pageBytes: number;
  /** Maximum number of bytes that one pull reads; the next pull continues after them. */
  readonly runBytes: number;
  readonly runPages: number;
  /** Maximum number of consecutive pages without a new trace. */
  readonly stalePages: number;
}

/** Limits for stores with pages. One or two pages without a new trace are usual while new traces are being written to the store. */
const pagedBounds: PullBounds = {
  pageBytes: MAX_PAGE_BYTES,
  runBytes: 64 * 2 ** 30,
  runPages: 100_000,
  stalePages: 3,
};

/** Limits for stores that are read by time slices. Many slices can be empty. */
const slicedBounds: PullBounds = { ...pagedBounds, stalePages: 1_000 };
/** Limits for S3, whose pages contain files instead of traces. */
const fileBounds: PullBounds = { ...pagedBounds, stalePages: Infinity };

const boundsOfKinds: Readonly<Record<string, PullBounds>> = {
  tempo: slicedBounds,
  jaeger: slicedBounds,
  s3: fileBounds,
};

/**
 * Ends a pull with an error if it reaches a limit, because a store could return pages without end. The output contains all pages up to
 * then.
 */
export class PullLimits {
  readonly #name: string;
  readonly #bounds: PullBounds;
  readonly #cursors = new CursorTrail("pages");
  #pageBytes = 0;
  #runBytes = 0;
  #pages = 0;
  #stalePages = 0;

  constructor(name: string, kind: string, bounds?: PullBounds) {
    this.#name = name;
    this.#bounds = bounds ?? boundsOfKinds[kind] ?? pagedBounds;
  }

  /**
   * Adds response bytes to the current page.
   * @throws UserError if the page is too large
   */
  answered(bytes: number): void {
    this.#runBytes += bytes;
    this.#pageBytes += bytes;
    if (this.#pageBytes > this.#bounds.pageBytes)
      throw new UserError(
        `${this.#name} answered with more than ${mebibytes(this.#bounds.pageBytes)} for one page`,
        "pull a shorter period in each command, with --since and --until",
      );
  }

  /** Counts bytes that are copied into a file. */
  copied(bytes: number): void {
    this.#runBytes += bytes;
  }

  /**
   * Counts a page that was written, and checks whether the pull may continue with the next page.
   * @throws UserError if the pull must not continue
   */
  pageEnded(next: string | null, hasNewTrace: boolean): void {
    this.#pageBytes = 0;
    this.#pages++;
    this.#stalePages = hasNewTrace ? 0 : this.#stalePages + 1;
    if (next !== null) this.#cursors.follow(this.#name, next);
    const { stalePages, runBytes, runPages } = this.#bounds;
    if (this.#stalePages >= stalePages)
      throw new UserError(
        `${this.#name} returned ${stalePages} pages in a row without a new trace, and has further pages, so the pull would probably not end`,
        "pull another period with --since and --until; if the error repeats, the store has a problem",
      );
    if (this.#runBytes > runBytes || this.#pages >= runPages)
      throw new UserError(
        `${this.#name}: ${this.#pages} pages with ${mebibytes(this.#runBytes)} were read, which is the maximum of one pull`,
        "`tracejury pull` continues if you run it again; with another command, shorten the period with since and until",
      );
  }
}

/** Records the cursors that a store returned, to report a repeated cursor as an error. */
export class CursorTrail {
  readonly #what: string;
  readonly #seen = new Set<string>();

  constructor(what: string) {
    this.#what = what;
  }

  /**
   * Records the cursor of the next page, so that a store that returns the same cursor twice is detected.
   * @throws UserError if this cursor was used before
   */
  follow(name: string, next: string): void {
    if (this.#seen.has(next))
      throw new UserError(
        `${name} returned the same position of its ${this.#what} twice, so the pull would not end`,
        "the traces so far are stored; pull other periods with --since and --until, or update the store",
      );
    this.#seen.add(next);
  }
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`;
}
