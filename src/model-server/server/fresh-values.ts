import { randomBytes } from "node:crypto";
import type { Fresh } from "../protocols/protocol.ts";

export function freshId(prefix: string): string {
  return `${prefix}${randomBytes(12).toString("hex")}`;
}

export function freshValues(): Fresh {
  return { id: freshId, unixS: Math.floor(Date.now() / 1000) };
}
