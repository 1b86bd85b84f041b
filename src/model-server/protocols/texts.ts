/** Joins the texts of one message, as Tracejury does for messages in telemetry. Returns null for a message without texts. */
export function joined(texts: readonly string[], separator = "\n"): string | null {
  return texts.length === 0 ? null : texts.join(separator);
}

/** Joins all instructions of a request into one text; null if there are no instructions. */
export function joinedInstructions(texts: readonly string[]): string | null {
  return joined(texts, "\n\n");
}

/** Returns the placeholder for a part of a message that is not text, such as `"[image]"` or `"[server tool: web_search]"`. */
export function noteOf(
  kind: "image" | "audio" | "video" | "file" | "server tool" | "reference" | "other",
  name?: string | null,
): string {
  const plain = (name ?? "").replaceAll(/[\]\n]/g, " ").slice(0, 200);
  return plain === "" ? `[${kind}]` : `[${kind}: ${plain}]`;
}

const SHORTEST_PIECE = 12;
const MOST_PIECES = 1_000;

/** Splits a text into chunks, as in a stream, but never within a surrogate pair. An empty text has no chunks. */
export function piecesOf(text: string): readonly string[] {
  const length = Math.max(SHORTEST_PIECE, Math.ceil(text.length / MOST_PIECES));
  const pieces: string[] = [];
  for (let start = 0; start < text.length;) {
    let end = Math.min(text.length, start + length);
    if (end < text.length && isLowSurrogate(text.charCodeAt(end))) end++;
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
