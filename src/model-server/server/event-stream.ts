import type { StreamPiece } from "../protocols/protocol.ts";

/** How the pieces of a stream are written: what stands before, between and behind them. */
export interface StreamFraming {
  readonly contentType: string;
  readonly open: string;
  readonly write: (piece: StreamPiece, isFirst: boolean) => string;
  readonly close: string;
}

/** Server-sent events. JSON has no line breaks, so that a piece is one `data:` line. */
export const eventStream: StreamFraming = {
  contentType: "text/event-stream; charset=utf-8",
  open: "",
  write: ({ event, data }) => `${event === null ? "" : `event: ${event}\n`}data: ${data}\n\n`,
  close: "",
};

/** A list of JSON that grows: what Gemini streams to clients which do not ask for events (`alt=sse`). */
export const jsonArray: StreamFraming = {
  contentType: "application/json; charset=utf-8",
  open: "[",
  write: ({ data }, isFirst) => `${isFirst ? "" : ",\r\n"}${data}`,
  close: "]",
};
