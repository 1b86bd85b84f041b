import type { JudgedRecord } from "../read/stored.ts";

type Written = Omit<JudgedRecord, "telemetry"> & {
  readonly telemetry: readonly (readonly [
    string,
    readonly { readonly signal: string; readonly encoding: string; readonly bytes: string }[],
  ])[];
};

/** A record as it waits to be written: it may do so on the disk, for another process. */
export function encodeRecord(record: JudgedRecord): Uint8Array {
  const telemetry = [...(record.telemetry ?? [])].map(([traceId, parts]) => [
    traceId,
    parts.map(({ signal, encoding, bytes }) => ({
      signal,
      encoding,
      bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64"),
    })),
  ]);
  return Buffer.from(JSON.stringify({ ...record, telemetry }));
}

/** Null for bytes that are no record. */
export function decodeRecord(bytes: Uint8Array): JudgedRecord | null {
  try {
    const { telemetry, ...rest } = JSON.parse(Buffer.from(bytes).toString()) as Written;
    const parts = telemetry.map(
      ([traceId, all]) =>
        [
          traceId,
          all.map((part) => ({
            signal: part.signal === "logs" ? ("logs" as const) : ("traces" as const),
            encoding: part.encoding === "json" ? ("json" as const) : ("protobuf" as const),
            bytes: Buffer.from(part.bytes, "base64"),
          })),
        ] as const,
    );
    return { ...rest, telemetry: new Map(parts) };
  } catch {
    return null;
  }
}
