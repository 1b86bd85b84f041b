import { MessageChannel } from "node:worker_threads";

/** What is sent from here is dropped at once: the other end is closed. */
const { port1: nowhere, port2: otherEnd } = new MessageChannel();
otherEnd.close();
nowhere.unref();

/** Less than this is not worth the call. */
const WORTHWHILE = 4 << 10;

/**
 * Frees the memory of bytes that will not be read again; they are empty from then on. The engine would free it when it next collects garbage, and
 * a request's chunks are what makes it collect: by the time it does, the bodies under way have grown old, and old bodies are found only by
 * going through the whole heap.
 */
export function freeBuffer(bytes: Uint8Array): void {
  const { buffer } = bytes;
  if (bytes.length < WORTHWHILE || bytes.length !== buffer.byteLength || !(buffer instanceof ArrayBuffer))
    return;
  nowhere.postMessage(null, [buffer]);
}
