import { MessageChannel } from "node:worker_threads";

/** A message port whose other end is closed. Memory that is transferred to the port is freed at once. */
const { port1: nowhere, port2: otherEnd } = new MessageChannel();
otherEnd.close();
nowhere.unref();

/** Buffers below this size are not freed explicitly, because the call costs more than it saves. */
const WORTHWHILE = 4 << 10;

/**
 * Frees the memory of bytes that are not read again; the array is empty afterwards. Chunks that are not freed
 * trigger garbage collections, which move bodies in flight into the old generation. Only a full collection
 * frees objects of the old generation.
 */
export function freeBuffer(bytes: Uint8Array): void {
  const { buffer } = bytes;
  if (bytes.length < WORTHWHILE || bytes.length !== buffer.byteLength || !(buffer instanceof ArrayBuffer))
    return;
  nowhere.postMessage(null, [buffer]);
}
