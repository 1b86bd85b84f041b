import { MessageChannel } from "node:worker_threads";

/** A message port whose other end is closed. If memory is transferred to this port, it is freed at once. */
const { port1: nowhere, port2: otherEnd } = new MessageChannel();
otherEnd.close();
nowhere.unref();

/** Buffers with fewer bytes are not freed explicitly, because the call would cost more than it saves. */
const WORTHWHILE = 4 << 10;

/**
 * Frees the memory of an array that is not read again; the array is empty afterwards. Arrays below 4 KiB, and views of a part of a larger
 * buffer, are not freed. If the garbage collector freed bodies instead, it would first move bodies in flight into the old generation, where
 * only a full collection frees them.
 */
export function freeBuffer(bytes: Uint8Array): void {
  const { buffer } = bytes;
  if (bytes.length < WORTHWHILE || bytes.length !== buffer.byteLength || !(buffer instanceof ArrayBuffer))
    return;
  nowhere.postMessage(null, [buffer]);
}
