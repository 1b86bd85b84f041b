/** Compression of a body. With `deflate`, senders send data with and without a zlib header. */
export type Coding = "gzip" | "deflate" | "zstd";

/** Supported values of `Content-Encoding`, in the format of `Accept-Encoding`. */
export const ACCEPTED_CODINGS = "gzip, deflate, zstd, identity";

/**
 * Returns the coding in a `Content-Encoding` header; null for an uncompressed body, undefined for an
 * unsupported coding or several codings.
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
