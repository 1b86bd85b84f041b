import { isObject, type JsonValue } from "../../../src/model/json.ts";
import type { SecretVector } from "../../redact/secret-sample.ts";

/** Texts of telemetry that people and models write; others (ids, names) are left as they are. */
const LEAST_LENGTH = 12;

/**
 * A dump of OTLP/JSON lines with secrets in it: each value of an attribute that is a text, also inside of JSON in a text, ends with the next
 * one, and each span has an attribute with another.
 */
export function planted(dump: string, secrets: readonly SecretVector[]): string {
  let at = 0;
  const next = (): string => secrets[at++ % secrets.length]?.text ?? "";
  const inText = (text: string): string => {
    const parsed = /^\s*[[{]/.test(text) ? parsedOrNull(text) : null;
    if (parsed !== null) return JSON.stringify(inJson(parsed));
    return text.length >= LEAST_LENGTH && /\s/.test(text) ? `${text} ${next()}` : text;
  };
  const inJson = (value: JsonValue): JsonValue => {
    if (typeof value === "string") return inText(value);
    if (Array.isArray(value)) return value.map(inJson);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inJson(one)]));
  };
  /** Outside of attributes only structure is followed: names and ids stay. */
  const inTelemetry = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return value.map(inTelemetry);
    if (!isObject(value)) return value;
    const entries = Object.entries(value).map(([key, one]): [string, JsonValue] => {
      if (key === "stringValue" && typeof one === "string") return [key, inText(one)];
      return [key, inTelemetry(one)];
    });
    const { attributes, ...rest } = Object.fromEntries(entries);
    if (typeof value["spanId"] !== "string" || !Array.isArray(attributes)) return Object.fromEntries(entries);
    return { ...rest, attributes: [...attributes, { key: "note", value: { stringValue: next() } }] };
  };
  return dump
    .split("\n")
    .map((line) => (line.trim() === "" ? line : JSON.stringify(inTelemetry(JSON.parse(line) as JsonValue))))
    .join("\n");
}

function parsedOrNull(text: string): JsonValue | null {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return null;
  }
}
