/** How a body is compressed. `deflate` is zlib-wrapped or raw: senders do both. */
export type Coding = "gzip" | "deflate" | "zstd";

/** Supported values of `Content-Encoding`, in `Accept-Encoding` form. */
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
