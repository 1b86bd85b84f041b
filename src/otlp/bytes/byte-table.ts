/** Number of ints in a slot: hash, id, offset in the pool, and length. */
const SLOT = 4;
const FREE = -1;

/**
 * Returns a hash of `length` bytes, computed four bytes at a time. Attackers can create collisions, so a table of received data must limit
 * its probes.
 */
export function hashBytes(view: DataView, offset: number, length: number): number {
  let hash = length;
  if (length >= 4) {
    const last = offset + length - 4;
    for (let at = offset; at < last; at += 4) hash = Math.imul(hash ^ view.getInt32(at, true), 0x9e3779b1);
    hash = Math.imul(hash ^ view.getInt32(last, true), 0x85ebca6b);
  } else {
    for (let at = offset; at < offset + length; at++) hash = Math.imul(hash ^ view.getUint8(at), 0x9e3779b1);
  }
  return hash ^ (hash >>> 15);
}

/** Whether `length` bytes of two buffers are equal. */
export function sameBytes(a: DataView, aAt: number, b: DataView, bAt: number, length: number): boolean {
  if (length >= 4) {
    const last = length - 4;
    let i = 0;
    for (const end = last - 12; i < end; i += 16) {
      const differs =
        (a.getInt32(aAt + i, true) ^ b.getInt32(bAt + i, true)) |
        (a.getInt32(aAt + i + 4, true) ^ b.getInt32(bAt + i + 4, true)) |
        (a.getInt32(aAt + i + 8, true) ^ b.getInt32(bAt + i + 8, true)) |
        (a.getInt32(aAt + i + 12, true) ^ b.getInt32(bAt + i + 12, true));
      if (differs !== 0) return false;
    }
    for (; i < last; i += 4) {
      if (a.getInt32(aAt + i, true) !== b.getInt32(bAt + i, true)) return false;
    }
    return a.getInt32(aAt + last, true) === b.getInt32(bAt + last, true);
  }
  for (let i = 0; i < length; i++) if (a.getUint8(aAt + i) !== b.getUint8(bAt + i)) return false;
  return true;
}

/** Stores byte strings one after another. The offset of a stored string never changes. */
export class BytePool {
  view: DataView;
  private bytes = new Uint8Array(4096);
  private used = 0;

  constructor() {
    this.view = new DataView(this.bytes.buffer);
  }

  /** Copies bytes into the pool, and returns their offset in the pool. */
  keep(view: DataView, offset: number, length: number): number {
    const at = this.used;
    if (at + length > this.bytes.length) {
      const larger = new Uint8Array(Math.max(this.bytes.length * 2, at + length));
      larger.set(this.bytes);
      this.bytes = larger;
      this.view = new DataView(larger.buffer);
    }
    this.bytes.set(new Uint8Array(view.buffer, view.byteOffset + offset, length), at);
    this.used = at + length;
    return at;
  }
}

/**
 * Map from byte strings to small integers: a hash table with open addressing and a limited number of probes. Bytes are compared four at a
 * time.
 */
export class ByteTable {
  private readonly slots: Int32Array;
  private readonly mask: number;
  private readonly probes: number;
  private readonly pool: BytePool;

  /**
   * @param slots a power of two, at least twice the number of entries
   * @param probes maximum number of slots that are searched for an entry
   */
  constructor(slots: number, probes: number, pool = new BytePool()) {
    this.slots = new Int32Array(slots * SLOT).fill(FREE);
    this.mask = slots - 1;
    this.probes = probes;
    this.pool = pool;
  }

  /** Returns the id of these bytes; -1 if the table does not contain them. */
  find(view: DataView, offset: number, length: number, hash: number): number {
    const { slots, mask } = this;
    for (let probe = 0, slot = hash; probe < this.probes; probe++, slot++) {
      const at = (slot & mask) * SLOT;
      const id = slots[at + 1] as number;
      if (id === FREE) return -1;
      if (slots[at] === hash && slots[at + 3] === length) {
        if (sameBytes(this.pool.view, slots[at + 2] as number, view, offset, length)) return id;
      }
    }
    return -1;
  }

  /** Adds new bytes. Returns the offset of the bytes in the pool; -1 if all slots for their hash are occupied. */
  add(view: DataView, offset: number, length: number, hash: number, id: number): number {
    const { slots, mask } = this;
    for (let probe = 0, slot = hash; probe < this.probes; probe++, slot++) {
      const at = (slot & mask) * SLOT;
      if (slots[at + 1] !== FREE) continue;
      const place = this.pool.keep(view, offset, length);
      slots[at] = hash;
      slots[at + 1] = id;
      slots[at + 2] = place;
      slots[at + 3] = length;
      return place;
    }
    return -1;
  }
}
