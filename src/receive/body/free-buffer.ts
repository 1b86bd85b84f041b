import { MessageChannel } from "node:worker_threads";

/** A port whose other end is closed, so that anything posted to it is freed at once. */
const { port1: nowhere, port2: otherEnd } = new MessageChannel();
otherEnd.close();
nowhere.unref();

/** Less than this is not worth the call. */
const WORTHWHILE = 4 << 10;

/**
 * Frees the memory of bytes that will not be read again; they are empty afterwards. Waiting for garbage collection is dearer: the chunks of
 * requests trigger it, so that bodies in flight are promoted to the old generation, and only a full collection frees those.
 */
export function freeBuffer(bytes: Uint8Array): void {
  const { buffer } = bytes;
  if (bytes.length < WORTHWHILE || bytes.length !== buffer.byteLength || !(buffer instanceof ArrayBuffer))
    return;
  nowhere.postMessage(null, [buffer]);
}
