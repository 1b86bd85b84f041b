import { ipv6At } from "./addresses.ts";
import { decimal } from "./decimal.ts";
import { digitGroupsAt } from "./digit-groups.ts";
import { codeKey, type Quantity, unsigned } from "./meaning.ts";
import { found, type Found, type State } from "./reading.ts";
import { match } from "./sticky.ts";

const iban = /[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,4})?(?![\p{L}\p{N}])/uy;
const postcode = /(?:[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|[A-Z]\d[A-Z] \d[A-Z]\d)(?![\p{L}\p{N}])/uy;
/** Matches MAC addresses and similar groups separated by colons. */
const colons = /[\da-f]{1,4}(?::[\da-f]{0,4}){3,7}(?![\p{L}\p{N}:])/iuy;

/** Matches the offset of a time zone, such as `UTC+2`. */
const offset = /(?:UTC|GMT) ?[+-]\d{1,2}(?::?\d{2})?(?![\p{L}\p{N}:])/uy;

export function zones({ text }: State, at: number): Found | undefined {
  const written = match(offset, text, at)?.[0];
  if (written === undefined) return undefined;
  const [, sign = "", hours = "", minutes = "00"] = /([+-])(\d{1,2}):?(\d{2})?$/.exec(written) ?? [];
  const key = `utc ${sign}${hours.padStart(2, "0")}${minutes}`;
  return found("id", text, at, at + written.length, [[{ is: "code", key }]]);
}

const percentile = /(\d{1,2})(?:st|nd|rd|th)[ -]percentile(?!\p{L})/iuy;

/** Returns the percentile at a position. `95th percentile` equals `p95`. */
export function percentiles({ text }: State, at: number): Found | undefined {
  const written = match(percentile, text, at);
  if (written === null) return undefined;
  const [whole, rank = ""] = written;
  const alone: Quantity = { is: "quantity", value: decimal(rank), signs: unsigned, units: null, per: null };
  return {
    ...found("id", text, at, at + whole.length, [[{ is: "code", key: `p-${rank}` }]]),
    alsoKnownBy: [[alone]],
  };
}

const degreesAndMinutes =
  /[+-]?\d{1,3}° ?\d{1,2}' ?(?:\d{1,2}(?:\.\d{1,4})?")?(?: ?[NSEW](?![\p{L}\p{N}]))?/uy;

/** Returns the code at a position that has spaces or separators: an IPv6 address, IBAN, postcode, MAC address, or degrees and minutes. */
export function longCodes({ text }: State, at: number): Found | undefined {
  const ip = ipv6At(text, at);
  if (ip !== undefined) return ip;
  for (const pattern of [iban, postcode, colons, degreesAndMinutes]) {
    const code = match(pattern, text, at)?.[0];
    if (code === undefined) continue;
    const parts = pattern === degreesAndMinutes ? code.replace(/(?<!\d|\.)0+(?=\d)/g, "") : code;
    const sign = parts.startsWith("-") ? "minus " : "";
    const key = sign + codeKey(parts.replaceAll(" ", ""));
    return found("id", text, at, at + code.length, [[{ is: "code", key }]]);
  }
  return undefined;
}

export function digitGroups({ text }: State, at: number): Found | undefined {
  const groups = digitGroupsAt(text, at);
  if (groups === undefined) return undefined;
  const { end, digits, isPhone } = groups;
  return found("id", text, at, end, [[{ is: "digits", digits, isPhone }]]);
}
