import { createHash, createHmac } from "node:crypto";

/**
 * The headers of Standard Webhooks 1.0: an id that is the same for every attempt with the same body, the time in seconds, and with a
 * secret `v1,` and the HMAC-SHA256 of `id.time.body` in base64. A secret that begins with `whsec_` is base64 after that.
 */
export function webhookHeaders(
  body: Uint8Array,
  secret: string | null,
  nowUnixMs: number,
): Record<string, string> {
  const id = `msg_${createHash("sha256").update(body).digest("hex").slice(0, 32)}`;
  const timestamp = String(Math.floor(nowUnixMs / 1000));
  const headers = { "webhook-id": id, "webhook-timestamp": timestamp };
  if (secret === null) return headers;
  const signature = createHmac("sha256", keyOf(secret))
    .update(`${id}.${timestamp}.`)
    .update(body)
    .digest("base64");
  return { ...headers, "webhook-signature": `v1,${signature}` };
}

function keyOf(secret: string): Buffer {
  const prefix = "whsec_";
  return secret.startsWith(prefix) ? Buffer.from(secret.slice(prefix.length), "base64") : Buffer.from(secret);
}
