/** Returns the position of the first invalid UTF-8 byte; -1 if all bytes are valid. */
export function invalidUtf8(view: DataView): number {
  const length = view.byteLength;
  let at = 0;
  while (at < length) {
    while (at + 8 <= length && ((view.getInt32(at, true) | view.getInt32(at + 4, true)) & 0x80808080) === 0) {
      at += 8;
    }
    if (at === length) return -1;
    if (view.getUint8(at) < 128) at++;
    else {
      const size = sequence(view, at);
      if (size === 0) return at;
      at += size;
    }
  }
  return -1;
}

/** Returns the length of the multi-byte sequence at `at`; 0 if it is truncated, over-long, a surrogate, or above U+10FFFF. */
function sequence(view: DataView, at: number): number {
  const first = view.getUint8(at);
  const size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || at + size > view.byteLength) return 0;
  const second = view.getUint8(at + 1);
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (second < low || second > high) return 0;
  for (let i = 2; i < size; i++) if ((view.getUint8(at + i) & 0xc0) !== 0x80) return 0;
  return size;
}
