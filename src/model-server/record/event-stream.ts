import type { StreamPiece } from "../protocols/protocol.ts";

/** Returns the events of a `text/event-stream` body that have data. The last event may be incomplete. */
export function piecesOf(text: string): StreamPiece[] {
  const pieces: StreamPiece[] = [];
  let event: string | null = null;
  let data: string[] = [];
  const flush = (): void => {
    if (data.length > 0) pieces.push({ event, data: data.join("\n") });
    event = null;
    data = [];
  };
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (line === "") flush();
    else if (line.startsWith("data:")) data.push(valueOf(line, 5));
    else if (line.startsWith("event:")) event = valueOf(line, 6);
  }
  flush();
  return pieces;
}

function valueOf(line: string, from: number): string {
  return line.slice(line[from] === " " ? from + 1 : from);
}
