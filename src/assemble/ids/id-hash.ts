/** Returns the hash of a 128-bit id of four words. `seed`: a random number, without which senders could choose ids that collide. */
export function hashId(seed: number, a: number, b: number, c: number, d: number): number {
  let hash = Math.imul(a ^ seed, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35) ^ Math.imul(c, 0x27d4eb2f);
  hash = Math.imul(hash ^ (hash >>> 13), 0x165667b1) ^ Math.imul(d, 0x9e3779b1);
  return hash ^ (hash >>> 16);
}
