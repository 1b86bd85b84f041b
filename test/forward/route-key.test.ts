import { expect, test } from "vitest";
import { JournalBackedQueue } from "../../src/export/forward/queue/journal-backed-queue.ts";
import { formerKeyOf, keyOf } from "../../src/export/forward/route.ts";
import { forwardDefaults } from "../support/settings-defaults.ts";

const of = (endpoint: string) => ({ ...forwardDefaults, endpoint });
const password = ["s3same", "open"].join("-");

test.each([`http://app:${password}@h:1/base`, `https://h/?api_key=${password}`, `http://${password}@h`])(
  "the name of a backend in the journal contains no credential: %s",
  (endpoint) => {
    expect(keyOf(of(endpoint))).not.toContain(password);
    expect(keyOf(of(endpoint))).toBe(keyOf(of(endpoint)));
    expect(keyOf(of(endpoint))).not.toBe(keyOf(of(endpoint.replace(password, "other"))));
  },
);

test("an address without credentials keeps the name that it has in existing journals", () => {
  expect(keyOf(of("http://h:4318"))).toBe("http http://h:4318");
});

test("a request that an earlier version kept under the former name is sent, and released under that name", () => {
  const destination = of(`http://app:${password}@h:1`);
  const sent: string[] = [];
  const former = formerKeyOf(destination);
  const journalBacked = new JournalBackedQueue([
    {
      key: keyOf(destination),
      formerKey: former,
      headerNames: [],
      takes: () => true,
      isWell: () => true,
      resume: (_, body, copy) => {
        sent.push("resumed");
        copy({ signal: "traces", encoding: "json", headers: {}, coding: null, body }).done();
      },
    },
  ]);
  const request = { read: () => Promise.resolve(new Uint8Array()), sentOn: (key: string) => sent.push(key) };
  const meta = { signal: "traces", encoding: "json" } as Parameters<JournalBackedQueue["resume"]>[0];
  const gone = journalBacked.resume(meta, new Uint8Array(), [former, "http http://gone"], request);
  expect(gone).toEqual(["http http://gone"]);
  expect(sent).toEqual(["resumed", former, "http http://gone"]);
});
