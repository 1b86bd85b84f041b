import { z } from "zod";
import { escapeControls } from "../../../support/structures/control-characters.ts";
import { endpoint, type Endpoint } from "../http/endpoint.ts";
import type { Archive } from "../../../store/archive.ts";

/** Interval in milliseconds between comment lines of the event stream, which keep the connection open. */
const BEAT_MS = 15_000;
const AT_A_TIME = 100;
const utf8 = new TextEncoder();

/**
 * Returns the endpoint that sends verdicts as numbered server-sent events. A client that reconnects with `Last-Event-ID` receives the
 * verdicts that it missed, each exactly once; they are read from the store.
 */
export function eventEndpoints(archive: Archive, mostReaders = 100): Endpoint[] {
  let readers = 0;
  return [
    endpoint({
      path: "/api/v1/events",
      summary:
        "Verdicts as server-sent events of the type `verdict`; `Last-Event-ID` or `after` continues after that event",
      query: z.strictObject({
        after: z
          .string()
          .regex(/^\d{1,15}$/, "Use the id of an event of this stream, which is a whole number")
          .describe("Number of the last event seen; absent: from now on")
          .optional(),
      }),
      answer: { type: "text/event-stream" },
      handle: async ({ query, headers }) => {
        const last = headers?.get("last-event-id") ?? query.after;
        const from = last !== undefined && /^\d{1,15}$/.test(last) ? Number(last) : await archive.newest();
        if (readers >= mostReaders) return { problem: crowded };
        readers++;
        const follower = new Follower(archive, from, () => void readers--);
        const body = new ReadableStream<Uint8Array>(follower, { highWaterMark: 1 });
        return { response: new Response(body, { headers: { "content-type": "text/event-stream" } }) };
      },
    }),
  ];
}

/**
 * The event stream of one client. The stream reads verdicts when the client is ready for them, so no verdicts wait in memory for a slow
 * client.
 */
class Follower implements UnderlyingDefaultSource<Uint8Array> {
  readonly #archive: Archive;
  readonly #ended: () => void;
  readonly #stopListening: () => void;
  #at: number;
  #wake: () => void = () => undefined;
  #beat: NodeJS.Timeout | undefined;
  #open = true;

  constructor(archive: Archive, from: number, ended: () => void) {
    this.#archive = archive;
    this.#at = from;
    this.#ended = ended;
    this.#stopListening = archive.onVerdicts(() => this.#wake());
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    controller.enqueue(utf8.encode(`retry: 2000\n: from ${this.#at}\n\n`));
    this.#beat = setInterval(() => {
      if ((controller.desiredSize ?? 0) > 0) controller.enqueue(utf8.encode(": still here\n\n"));
    }, BEAT_MS).unref();
  }

  async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    while (this.#open) {
      const woken = new Promise<void>((resolve) => (this.#wake = resolve));
      const found = await this.#archive.since(this.#at, AT_A_TIME).catch(() => null);
      if (!this.#open) return;
      if (found === null) {
        // The store cannot be read, so the stream ends. The client then connects again, and continues after the last event that it
        // received.
        this.cancel();
        controller.close();
        return;
      }
      const last = found.at(-1);
      if (last !== undefined) {
        this.#at = last.number;
        const events = found.map(({ number, json }) => `id: ${number}\nevent: verdict\ndata: ${json}\n\n`);
        controller.enqueue(utf8.encode(escapeControls(events.join(""))));
        return;
      }
      await woken;
    }
  }

  cancel(): void {
    if (!this.#open) return;
    this.#open = false;
    clearInterval(this.#beat);
    this.#stopListening();
    this.#wake();
    this.#ended();
  }
}

const crowded = {
  status: 503,
  what: "The event stream cannot be opened now.",
  why: "The maximum number of readers is reached.",
  fix: "Close a reader, or poll /api/v1/verdicts.",
} as const;
