import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";

/** The page that people look at, as it was built: few files, held in memory. */
export interface PageFiles {
  /** Undefined when the page has no file of that name. */
  file(name: string): Response | undefined;
  /** The page itself; every view has it. */
  index(): Response;
}

/** Paths under which the page shows a view. */
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

/** Only what this port serves may run, be shown or be asked. */
const policy = [
  "default-src 'none'",
  ...["script-src", "style-src", "img-src", "connect-src"].map((kind) => `${kind} 'self'`),
  ...["base-uri", "form-action", "frame-ancestors"].map((kind) => `${kind} 'none'`),
].join("; ");

/** Reads the built page; undefined when it is not there. */
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
    // Names of all files but the index carry a hash of what is in them.
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
