import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";

/** Files of the built web page, read into memory once. */
export interface PageFiles {
  /** Returns a file of the page. Returns undefined if the page has no such file. */
  file(name: string): Response | undefined;
  /** Returns the HTML page, which is the same for every view. */
  index(): Response;
}

export const viewPaths = [
  "/",
  "/runs",
  "/runs/:id",
  "/side-by-side",
  "/queries",
  "/compare",
  "/system",
] as const;

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Content security policy, which allows the page only resources of this port. */
const policy = [
  "default-src 'none'",
  ...["script-src", "style-src", "img-src", "connect-src"].map((kind) => `${kind} 'self'`),
  ...["base-uri", "form-action", "frame-ancestors"].map((kind) => `${kind} 'none'`),
].join("; ");

/** Returns the files of the page; undefined if the page was not built. */
export function readPageFiles(folder: string): PageFiles | undefined {
  const contents = new Map<string, Buffer>();
  try {
    for (const name of readdirSync(folder)) contents.set(name, readFileSync(join(folder, name)));
  } catch {
    return undefined;
  }
  const index = contents.get("index.html");
  if (index === undefined) return undefined;
  const answer = (name: string, content: Buffer): Response => {
    // All file names except the index contain a hash of the content, so these files can be cached forever.
    const caching = name === "index.html" ? "no-cache" : "public, max-age=31536000, immutable";
    return new Response(new Uint8Array(content), {
      headers: {
        "content-type": types[extname(name)] ?? "application/octet-stream",
        "content-security-policy": policy,
        "cache-control": caching,
      },
    });
  };
  return {
    file: (name) => {
      const content = contents.get(name);
      return content && answer(name, content);
    },
    index: () => answer("index.html", index),
  };
}
