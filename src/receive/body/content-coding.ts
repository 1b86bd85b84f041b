/** Compression of a body. Senders use `deflate` for data with and without a zlib header. */
export type Coding = "gzip" | "deflate" | "zstd";

/** Supported values of `Content-Encoding`, in the format of `Accept-Encoding`. */
export const ACCEPTED_CODINGS = "gzip, deflate, zstd, identity";

/**
 * Returns the coding that a `Content-Encoding` header names. Returns null for no coding, and undefined for an
 * unsupported one or several codings.
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
