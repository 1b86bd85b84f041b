import { decimal } from "./decimal.ts";
import { codeKey, unsigned, versionOf } from "./meaning.ts";
import { found, type Found, type State } from "./reading.ts";
import { match } from "./sticky.ts";

const url = /(?:[a-z][a-z\d+.-]{1,11}:\/\/|www\.)[^\s\ufffd<>"'|()[\]{}]{1,2000}/iuy;
const email =
  /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){0,7}\.\p{L}{2,24}(?![\p{L}\p{N}])/uy;
const hostAndPath =
  /(?:[a-z\d-]{1,63}\.){1,5}[a-z]{2,24}(?::\d{1,5})?\/(?=[^\s\ufffd<>"'|()[\]{}]{0,200}\d)[^\s\ufffd<>"'|()[\]{}]{1,200}/iuy;
/**
 * Matches a link without scheme, even if its path has no digits. The host of the link must have a common top-level domain in lower case,
 * because brands such as `ASP.NET` look similar.
 */
const wordHost =
  /(?<![.@-])[A-Za-z\d][a-z\d-]{0,62}\.(?:[a-z\d-]{1,63}\.){0,4}(?:com|org|net|io|dev|app|ai|co|edu|gov|info|cloud|tech|shop|test|example|eu|uk|de|fr|es|it|nl|ch|at|be|pl|se|no|dk|fi|pt|ie|us|ca|au|jp|in|br)(?::\d{1,5})?\/[\p{L}\p{N}][^\s\ufffd<>"'|()[\]{}]{0,200}/uy;
const brandPair = /^(?:asp|vb|ado)\.net\/|^[A-Z].*\/[A-Z]/;
const endpoint = /((?:\d{1,3}\.){3}\d{1,3}):(\d{1,5})(?![\p{L}\p{N}:]|\.\p{N})/uy;
const SENTENCE_END = /[.,;:!?]{1,8}$/;

const doi = /10\.\d{4,9}\/[^\s"<>|]{1,200}/uy;

/** Returns the URL, DOI or e-mail address at a position of a plain text; undefined if there is none. */
export function addressAt({ text }: State, at: number): Found | undefined {
  const link = (match(url, text, at) ?? match(hostAndPath, text, at) ?? wordLink(text, at))?.[0].replace(
    SENTENCE_END,
    "",
  );
  if (link !== undefined)
    return found("url", text, at, at + link.length, [[{ is: "address", key: addressKey(link) }]]);
  const paper = match(doi, text, at)?.[0].replace(SENTENCE_END, "");
  if (paper !== undefined)
    return found("id", text, at, at + paper.length, [[{ is: "address", key: paper.toLowerCase() }]]);
  const mail = match(email, text, at)?.[0];
  if (mail === undefined) return undefined;
  return found("email", text, at, at + mail.length, [[{ is: "address", key: mail.toLowerCase() }]]);
}

function wordLink(text: string, at: number): RegExpExecArray | null {
  const written = match(wordHost, text, at);
  return written === null || brandPair.test(written[0]) ? null : written;
}

/** Returns the IPv4 address with port at a position, such as `10.0.0.7:8080`. The evidence may have address and port together or apart. */
export function endpointAt({ text }: State, at: number): Found | undefined {
  const [whole, host = "", port = ""] = match(endpoint, text, at) ?? [];
  if (whole === undefined) return undefined;
  return found("id", text, at, at + whole.length, [
    [{ is: "code", key: codeKey(whole) }],
    [versionOf(host), { is: "quantity", value: decimal(port), signs: unsigned, units: null, per: null }],
  ]);
}

const ipv6 = /[\da-f]{0,4}(?::[\da-f]{0,4}){2,7}(?![\p{L}\p{N}:])/iuy;
const IPV6_GROUPS = 8;

/** Returns the IPv6 address at a position, with its full form as key, including the zeros that `2001:db8::1` omits. */
export function ipv6At(text: string, at: number): Found | undefined {
  const written = match(ipv6, text, at)?.[0];
  if (written === undefined || !/\d/.test(written)) return undefined;
  const [head = "", tail, ...others] = written.toLowerCase().split("::");
  const [before, behind] = [groupsOf(head), groupsOf(tail ?? "")];
  const left = IPV6_GROUPS - before.length - behind.length;
  if (others.length > 0 || (tail === undefined ? left !== 0 : left < 1)) return undefined;
  const groups = [...before, ...Array.from({ length: left }, () => "0"), ...behind];
  if (groups.includes("")) return undefined;
  const key = groups.map((group) => group.replace(/^0+(?=.)/, "")).join(":");
  return found("id", text, at, at + written.length, [[{ is: "address", key: `ipv6 ${key}` }]]);
}

function groupsOf(part: string): readonly string[] {
  return part === "" ? [] : part.split(":");
}

/** Returns a key that equivalent URLs share: without scheme, `www.` and default port, and with sorted query parameters. */
function addressKey(link: string): string {
  const bare = unescaped(link)
    .toLowerCase()
    .replace(/^http:\/\/([^/:]+):80(?=\/|$)/, "$1")
    .replace(/^https:\/\/([^/:]+):443(?=\/|$)/, "$1")
    .replace(/^https?:\/\//, "")
    .replace(/^www\./, "");
  const [beforeFragment, fragment] = divided(bare, "#");
  const [path, query] = divided(beforeFragment, "?");
  const parameters = query === undefined ? "" : `?${query.split("&").sort().join("&")}`;
  return `${path.replace(/\/$/, "")}${parameters}${fragment === undefined ? "" : `#${fragment}`}`;
}

function divided(text: string, mark: string): readonly [string, string?] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function unescaped(link: string): string {
  return link.replace(/(?:%[\da-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}

/** Returns the shorter forms of a URL, and a text of its host, path and parameters. */
export function partsOfUrl(link: string): { readonly shorter: readonly string[]; readonly text: string } {
  const rest = unescaped(link).replace(/^[a-z]+:\/\//i, "");
  const [withoutFragment] = divided(rest, "#");
  const [withoutQuery] = divided(withoutFragment, "?");
  const [host] = divided(withoutQuery, "/");
  const shorter = [withoutFragment, withoutQuery, host].filter((form) => form !== "" && form !== rest);
  const [, paper] = divided(withoutQuery, "/");
  return {
    shorter: [...new Set([...shorter.map(addressKey), (paper ?? "").toLowerCase()])],
    text: rest.replace(/[/?&=#@]+|:(?=\d)/g, " "),
  };
}
