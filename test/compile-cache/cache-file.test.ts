import fc from "fast-check";
import {
  chmodSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CacheFile } from "../../src/interfaces/cli/compile-cache/cache-file.ts";
import {
  type CompiledCode,
  decodeCompiled,
  encodeCompiled,
} from "../../src/interfaces/cli/compile-cache/compiled-code.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const uid = process.getuid?.();
const code = (text: string): CompiledCode => ({ sourceCrc: 7, data: Buffer.from(text) });
const sources = new Map([
  ["/app/a.cjs", code("bytecode of a")],
  ["/app/b.cjs", code("")],
  ["/app/ü.cjs", code("more")],
]);

function only(path: string): string {
  const [name = ""] = readdirSync(path);
  return join(path, name);
}

describe("compiled code", () => {
  test("is read as it was written, each source where V8 takes it without a copy", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(fc.string(), fc.nat(2 ** 32 - 1), fc.uint8Array({ maxLength: 200 })), {
          selector: ([path]) => path,
        }),
        (given) => {
          const written = new Map(
            given.map(([path, sourceCrc, data]) => [path, { sourceCrc, data: Buffer.from(data) }]),
          );
          const whole = encodeCompiled(written);
          const read = decodeCompiled(whole);
          expect(read).toEqual(written);
          for (const { data } of read.values()) expect((data.byteOffset - whole.byteOffset) % 8).toBe(0);
        },
      ),
    );
  });

  test("a cache file with a flipped bit or without its end is not used", () => {
    const whole = encodeCompiled(sources);
    for (let bit = 0; bit < whole.length * 8; bit++) {
      const damaged = Buffer.from(whole);
      damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(decodeCompiled(damaged).size).toBe(0);
    }
    for (let length = 0; length < whole.length; length++)
      expect(decodeCompiled(whole.subarray(0, length)).size).toBe(0);
    expect(decodeCompiled(whole).size).toBe(3);
  });
});

describe("the file of a command", () => {
  test("holds what was written, for its owner only, and nothing is left beside it", () => {
    const dir = temporaryFolder();
    const before = process.umask(0);
    try {
      new CacheFile(dir, "test", "v20-x").write(sources);
    } finally {
      process.umask(before);
    }

    expect(readdirSync(dir)).toEqual(["test-v20-x.bin"]);
    expect(statSync(only(dir)).mode & 0o777).toBe(0o600);
    expect(new CacheFile(dir, "test", "v20-x").read(uid)).toEqual(sources);
    expect(new CacheFile(dir, "test", "v22-x").read(uid).size).toBe(0);
    expect(new CacheFile(dir, "inspect", "v20-x").read(uid).size).toBe(0);
  });

  test("is not read where another user could have written it", () => {
    const dir = temporaryFolder();
    const file = new CacheFile(dir, "test", "v20-x");
    file.write(sources);

    expect(file.read((uid ?? 0) + 1).size).toBe(0);
    chmodSync(only(dir), 0o620);
    expect(file.read(uid).size).toBe(0);
    chmodSync(only(dir), 0o600);
    expect(file.read(uid).size).toBe(3);
  });

  test("is not read over a link", () => {
    const dir = temporaryFolder();
    new CacheFile(dir, "test", "other").write(sources);
    symlinkSync(join(dir, "test-other.bin"), join(dir, "test-v20-x.bin"));

    expect(new CacheFile(dir, "test", "v20-x").read(uid).size).toBe(0);
    expect(new CacheFile(dir, "test", "other").read(uid).size).toBe(3);
  });

  test("is replaced; of a command's files the three newest stay, those of other commands too", () => {
    const dir = temporaryFolder();
    new CacheFile(dir, "save", "0").write(sources);
    for (const [at, build] of ["1", "2", "3", "4"].entries()) {
      new CacheFile(dir, "test", build).write(sources);
      utimesSync(join(dir, `test-${build}.bin`), at, at);
    }
    new CacheFile(dir, "test", "4").write(new Map());

    expect(readdirSync(dir).sort()).toEqual(["save-0.bin", "test-2.bin", "test-3.bin", "test-4.bin"]);
    expect(new CacheFile(dir, "test", "4").read(uid).size).toBe(0);
    expect(new CacheFile(dir, "test", "3").read(uid).size).toBe(3);
  });

  test("what cannot be written is left, without an error", () => {
    const dir = temporaryFolder();
    const notFolder = join(dir, "file");
    writeFileSync(notFolder, "as it was");
    const file = new CacheFile(notFolder, "test", "v20-x");

    expect(() => file.write(sources)).not.toThrow();
    expect(file.read(uid).size).toBe(0);
    expect(readFileSync(notFolder, "utf8")).toBe("as it was");
  });
});
