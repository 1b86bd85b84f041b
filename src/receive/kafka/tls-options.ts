import { readFileSync } from "node:fs";
import { createSecureContext, type ConnectionOptions } from "node:tls";
import type { KafkaTls } from "./settings.ts";

/** A certificate or key cannot be used. The message names the setting and the file. */
export class KafkaTlsError extends Error {
  override readonly name = "KafkaTlsError";
}

/**
 * Reads the files for TLS connections to the brokers.
 * @param key configuration key of the connection; used in messages
 * @throws KafkaTlsError if a file cannot be read or used
 */
export function tlsOptions(
  { caFile, certFile, keyFile, serverName }: KafkaTls,
  key = "receivers.kafka.tls",
): ConnectionOptions {
  const read = (name: string, file: string): Buffer => readFile(`${key}.${name}`, file);
  const options = {
    ...(caFile === null ? {} : { ca: read("ca_file", caFile) }),
    ...(certFile === null ? {} : { cert: read("cert_file", certFile) }),
    ...(keyFile === null ? {} : { key: read("key_file", keyFile) }),
  };
  try {
    createSecureContext(options);
  } catch (error) {
    const files = [caFile, certFile, keyFile].filter((file) => file !== null).join(", ");
    throw new KafkaTlsError(
      `${key}: ${files} cannot be used: ${(error as Error).message}; certificates and key must be PEM, and the key must belong to the certificate`,
    );
  }
  return { ...options, ...(serverName === null ? {} : { servername: serverName }) };
}

function readFile(key: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new KafkaTlsError(`${key}: cannot read ${file}: ${(error as Error).message}`);
  }
}
