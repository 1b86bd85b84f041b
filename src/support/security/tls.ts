import { readFileSync } from "node:fs";
import { createSecureContext, type SecureContextOptions } from "node:tls";
import { SecurityError } from "./addresses/address-guard.ts";
import type { TlsSettings } from "./settings.ts";

export interface TlsMaterial {
  readonly context: SecureContextOptions;
  readonly asksForCertificate: boolean;
}

/**
 * Reads the certificate, the key, and the certificate authorities for clients.
 * @param where configuration key of the settings, for messages
 * @throws SecurityError if a file cannot be read, or if key and certificate do not match
 */
export function readTls(settings: TlsSettings, where: string): TlsMaterial {
  const { certFile, keyFile, clientCaFile, minVersion } = settings;
  const context: SecureContextOptions = {
    cert: read(certFile, `${where}.cert_file`),
    key: read(keyFile, `${where}.key_file`),
    minVersion,
    ...(clientCaFile === null ? {} : { ca: read(clientCaFile, `${where}.client_ca_file`) }),
  };
  try {
    createSecureContext(context);
  } catch (error) {
    throw new SecurityError(`${where}: certificate and key cannot be used: ${(error as Error).message}`);
  }
  return { context, asksForCertificate: clientCaFile !== null };
}

export function tlsFiles(settings: TlsSettings | null): string[] {
  if (settings === null) return [];
  const { certFile, keyFile, clientCaFile } = settings;
  return [certFile, keyFile, ...(clientCaFile === null ? [] : [clientCaFile])];
}

function read(file: string, where: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new SecurityError(`${where}: cannot read ${file}: ${(error as Error).message}`);
  }
}
