import type { StreamPiece } from "../protocols/protocol.ts";

/** The text before, between and after the chunks of a stream. */
export interface StreamFraming {
  readonly contentType: string;
  readonly open: string;
  readonly write: (piece: StreamPiece, isFirst: boolean) => string;
  readonly close: string;
}

/** Server-sent events. Each chunk is one `data:` line, because the JSON of a chunk has no line breaks. */
export const eventStream: StreamFraming = {
  contentType: "text/event-stream; charset=utf-8",
  open: "",
  write: ({ event, data }) => `${event === null ? "" : `event: ${event}\n`}data: ${data}\n\n`,
  close: "",
};

/** A JSON list that grows; Gemini streams it to clients that do not request events (`alt=sse`). */
export const jsonArray: StreamFraming = {
  contentType: "application/json; charset=utf-8",
  open: "[",
  write: ({ data }, isFirst) => `${isFirst ? "" : ",\r\n"}${data}`,
  close: "]",
};
