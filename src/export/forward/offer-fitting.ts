import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Refusal } from "../../receive/ports.ts";
import type { Outgoing } from "./outgoing.ts";
import type { Route } from "./route.ts";
import { fitForGrpc } from "./transcode.ts";

/** Offers a request in a form that the backend takes. One that has none is counted, and is done. */
export async function offerFitting(
  { destination, backend }: Route,
  outgoing: Outgoing,
  inflated: Uint8Array | null,
): Promise<Refusal | null> {
  let fitting = outgoing;
  if (destination.protocol === "grpc") {
    try {
      const isPlain = outgoing.coding === null;
      fitting = await fitForGrpc(outgoing, isPlain ? outgoing.body : (inflated ?? (await plain(outgoing))));
    } catch (error) {
      backend.dropUnfit(outgoing.signal, messageOf(error));
      return null;
    }
  }
  return backend.offer(fitting);
}

async function plain({ coding, body }: Outgoing): Promise<Uint8Array> {
  return coding === "gzip" ? promisify(gunzip)(body) : body;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
