const UNIT_MS: Readonly<Record<string, number>> = {
  H: 3_600_000,
  M: 60_000,
  S: 1_000,
  m: 1,
  u: 1e-3,
  n: 1e-6,
};

/** Parses a `grpc-timeout` header (`"5S"`) into milliseconds. Returns null if the header is missing or invalid. */
export function parseGrpcTimeout(header: string | string[] | undefined): number | null {
  if (header === undefined) return null;
  const [, digits, unit = ""] = /^(\d{1,8})([HMSmun])$/.exec(String(header)) ?? [];
  const unitMs = UNIT_MS[unit];
  return digits === undefined || unitMs === undefined ? null : Number(digits) * unitMs;
}
