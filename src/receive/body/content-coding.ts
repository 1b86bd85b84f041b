/** Compression of a body. A `deflate` body may have a zlib header or not, because senders use both forms. */
export type Coding = "gzip" | "deflate" | "zstd";

/** Supported values of `Content-Encoding`, in the format of `Accept-Encoding`. */
export const ACCEPTED_CODINGS = "gzip, deflate, zstd, identity";

/**
 * Parses a `Content-Encoding` header. Returns null for an uncompressed body, undefined for an unsupported coding or for several codings.
 */
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
