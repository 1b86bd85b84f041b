import type { StreamPiece } from "../protocols/protocol.ts";

/** Framing of a stream's chunks: the text before, between and after them. */
export interface StreamFraming {
  readonly contentType: string;
  readonly open: string;
  readonly write: (piece: StreamPiece, isFirst: boolean) => string;
  readonly close: string;
}

/** Server-sent events. The JSON has no line breaks, so each chunk is one `data:` line. */
export const eventStream: StreamFraming = {
  contentType: "text/event-stream; charset=utf-8",
  open: "",
  write: ({ event, data }) => `${event === null ? "" : `event: ${event}\n`}data: ${data}\n\n`,
  close: "",
};

/** A growing JSON list, which Gemini streams to clients that do not request events (`alt=sse`). */
export const jsonArray: StreamFraming = {
  contentType: "application/json; charset=utf-8",
  open: "[",
  write: ({ data }, isFirst) => `${isFirst ? "" : ",\r\n"}${data}`,
  close: "]",
};
