import type { Socket } from "node:net";

/** How every HTTP/2 connection without TLS starts; no HTTP/1 request does. */
const PREFACE = Buffer.from("PRI * HTTP/2.0\r\n");

export type Protocol = "http1" | "http2";

/**
 * Tells which protocol a new connection speaks by its first bytes, and leaves them in the socket for the server that gets it.
 * `done` is not called for a connection that closes before it can be told.
 */
export function sniff(socket: Socket, done: (protocol: Protocol) => void): void {
  let seen: Buffer = Buffer.alloc(0);
  const onReadable = () => {
    const chunk = socket.read() as Buffer | null;
    if (chunk === null) return;
    seen = seen.length === 0 ? chunk : Buffer.concat([seen, chunk]);
    const protocol = protocolOf(seen);
    if (protocol === undefined) return;
    socket.off("readable", onReadable);
    socket.unshift(seen);
    done(protocol);
  };
  socket.on("readable", onReadable);
}

/** Undefined while the bytes may still become either. */
function protocolOf(start: Uint8Array): Protocol | undefined {
  const length = Math.min(start.length, PREFACE.length);
  for (let i = 0; i < length; i++) if (start[i] !== PREFACE[i]) return "http1";
  return length === PREFACE.length ? "http2" : undefined;
}
