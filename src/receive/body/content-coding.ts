/** How a body is compressed. `deflate` is zlib-wrapped or raw: senders do both. */
export type Coding = "gzip" | "deflate" | "zstd";

/** What `Content-Encoding` may name, as an `Accept-Encoding` answer lists it. */
export const ACCEPTED_CODINGS = "gzip, deflate, zstd, identity";

/** The coding a `Content-Encoding` names: null for none, undefined for one (or several) that cannot be undone. */
export function parseCoding(header: string | undefined): Coding | null | undefined {
  switch (header?.trim().toLowerCase()) {
    case undefined:
    case "":
    case "identity":
      return null;
    case "gzip":
    case "x-gzip":
      return "gzip";
    case "deflate":
      return "deflate";
    case "zstd":
      return "zstd";
    default:
      return undefined;
  }
}
