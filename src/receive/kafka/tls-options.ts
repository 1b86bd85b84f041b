import { readFileSync } from "node:fs";
import { createSecureContext, type ConnectionOptions } from "node:tls";
import type { KafkaTls } from "./settings.ts";

/** A certificate or key that cannot be used; the message names the setting and the file. */
export class KafkaTlsError extends Error {
  override readonly name = "KafkaTlsError";
}

/** Reads the files that TLS to the brokers needs. @throws KafkaTlsError */
export function tlsOptions({ caFile, certFile, keyFile, serverName }: KafkaTls): ConnectionOptions {
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
      `receivers.kafka.tls: ${files} cannot be used: ${(error as Error).message}; certificates and key must be PEM, the key that of the certificate`,
    );
  }
  return { ...options, ...(serverName === null ? {} : { servername: serverName }) };
}

function read(key: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new KafkaTlsError(`receivers.kafka.tls.${key}: cannot read ${file}: ${(error as Error).message}`);
  }
}
