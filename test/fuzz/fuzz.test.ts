import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { startFuzzedReceiver } from "./fuzz-receiver.ts";
import { mutantOf } from "./mutants.ts";
import { mutateCoded } from "./mutate-coded.ts";
import { mutateGrpc } from "./mutate-grpc.ts";
import { mutateText } from "./mutate-text.ts";
import { readBody } from "./read-body.ts";
import { placeText, readValue } from "./read-value.ts";
import { seeded } from "./seeded.ts";

/* `npm run fuzz` does the same for ten minutes each, with chance. */

test.each(["protobuf", "json"] as const)(
  "C51 %s: no mutant throws or hangs, and some still have spans",
  (encoding) => {
    const random = seeded(51);
    let withSpans = 0;
    for (let n = 0; n < 150; n++)
      if (readBody(mutantOf(encoding, random), encoding, "traces") > 0) withSpans++;
    expect(withSpans).toBeGreaterThan(10);
  },
);

test("C51 gRPC framing and compressed bodies: every mutant is answered, with a status of ours", async () => {
  const random = seeded(51);
  const receiver = await startFuzzedReceiver();
  for (let n = 0; n < 60; n++) {
    await expect(receiver.call(mutateGrpc(random))).resolves.toBeUndefined();
    await expect(receiver.post(mutateCoded(random))).resolves.toBeUndefined();
  }
  await receiver.close();
});

test("values: no nested text throws or hangs, wherever it is read, and most make runs", () => {
  const random = seeded(51);
  let withRuns = 0;
  for (let n = 0; n < 40; n++) if (readValue(placeText(mutateText(random), random)) > 0) withRuns++;
  expect(withRuns).toBeGreaterThan(25);
});

const folder = new URL("../fixtures/fuzz/", import.meta.url);
const found = existsSync(folder) ? readdirSync(folder) : [];

test.each(found)("C51 what was found once stays mended: %s", async (name) => {
  await expect(tryAgain(name)).resolves.toBeUndefined();
});

async function tryAgain(name: string): Promise<void> {
  const bytes = readFileSync(new URL(name, folder));
  if (name.endsWith(".bin")) {
    readBody(bytes, name.startsWith("json") ? "json" : "protobuf", "traces");
    return;
  }
  const attempt = JSON.parse(bytes.toString());
  if (name.startsWith("values")) {
    readValue(attempt);
    return;
  }
  const raw = (text: string): Buffer => Buffer.from(text, "base64");
  const receiver = await startFuzzedReceiver();
  if (name.startsWith("gzip")) await receiver.post({ ...attempt, body: raw(attempt.body) });
  else await receiver.call({ ...attempt, pieces: attempt.pieces.map(raw) });
  await receiver.close();
}
