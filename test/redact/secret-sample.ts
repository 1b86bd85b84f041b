import { readFileSync } from "node:fs";

/** A text with a secret that a public rule set reports. */
export interface SecretVector {
  readonly rule: string;
  readonly text: string;
  readonly secret: string;
}

/** The sample in the repository. Its texts are stored in pieces: scanners of repositories would report them. */
export function secretSample(): SecretVector[] {
  return readFileSync("test/fixtures/secrets.jsonl", "utf8")
    .trim()
    .split("\n")
    .map((line) => {
      const { rule, text, secret } = JSON.parse(line) as { rule: string; text: string[]; secret: string[] };
      return { rule, text: text.join(""), secret: secret.join("") };
    });
}

/**
 * The vector as it may stand in telemetry: in turn as it is, in JSON inside a text, in base64, percent-encoded.
 * `secret` is then what must not be found.
 */
export function inContext({ rule, text, secret }: SecretVector, turn: number): SecretVector {
  switch (turn % 4) {
    case 1:
      return {
        rule,
        text: `called with ${JSON.stringify({ note: text })}`,
        secret: JSON.stringify(secret).slice(1, -1),
      };
    case 2: {
      const encoded = Buffer.from(text).toString("base64");
      return { rule, text: `body ${encoded} sent`, secret: encoded };
    }
    case 3: {
      // Also what needs no encoding is encoded: the secret's own characters hide its form.
      const encoded = encodeURIComponent(text).replaceAll("-", "%2D").replaceAll("_", "%5F");
      return { rule, text: `GET /x?${encoded} 200`, secret: encoded };
    }
    default:
      return { rule, text, secret };
  }
}

/** Every text in the values of a dump of OTLP/JSON lines. */
export function textsOf(dump: string): string[] {
  const texts: string[] = [];
  for (const line of dump.split("\n")) {
    if (line === "") continue;
    JSON.parse(line, (key, value: unknown) => {
      if (typeof value === "string" && !/Id$|Nano$|^key$/.test(key)) texts.push(value);
      return value;
    });
  }
  return texts;
}

/** All of a list that is longer than allowed: a failing test shows them. */
export function beyond<Item>(items: readonly Item[], most: number): readonly Item[] {
  return items.length > most ? items : [];
}
