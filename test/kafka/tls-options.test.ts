import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { KafkaTlsError, tlsOptions } from "../../src/receive/kafka/tls-options.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const dir = temporaryFolder();
const none = { caFile: null, certFile: null, keyFile: null, serverName: null };

test("a file that is not there is named, with its setting", () => {
  const caFile = join(dir, "missing.pem");
  expect(() => tlsOptions({ ...none, caFile })).toThrow(KafkaTlsError);
  expect(() => tlsOptions({ ...none, caFile })).toThrow(
    /^receivers\.kafka\.tls\.ca_file: cannot read .*missing\.pem/,
  );
});

test("a file that is no certificate is named", () => {
  const certFile = join(dir, "text.pem");
  writeFileSync(certFile, "hello");
  expect(() => tlsOptions({ ...none, certFile })).toThrow(/text\.pem cannot be used: .*must be PEM/);
});

test("without files the usual authorities are used, and the name that was given", () => {
  expect(tlsOptions(none)).toEqual({});
  expect(tlsOptions({ ...none, serverName: "kafka" })).toEqual({ servername: "kafka" });
});
