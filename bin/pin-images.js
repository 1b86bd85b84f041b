#!/usr/bin/env node
// `node bin/pin-images.js DOCKERFILE…` adds the current digest to each base image without a digest. The release workflow runs this script
// before it builds the image. With the digest, an image can be built again from the same base, and a replaced tag is detected. Reads
// digests from the registries with docker.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const DIGEST = /^sha256:[0-9a-f]{64}$/;

for (const file of process.argv.slice(2)) {
  const text = readFileSync(file, "utf8");
  const stages = new Set([...text.matchAll(/^FROM\s+\S+\s+AS\s+(\S+)/gim)].map(([, name]) => name));
  const pinned = text.replaceAll(/^(FROM\s+)(\S+)/gim, (whole, from, image) =>
    image.includes("@") || stages.has(image) ? whole : `${from}${image}@${digestOf(image)}`,
  );
  writeFileSync(file, pinned);
  console.log(`${file}:\n${pinned.match(/^FROM.*$/gim)?.join("\n") ?? "no base image"}`);
}

/** @param {string} image */
function digestOf(image) {
  const words = ["buildx", "imagetools", "inspect", image, "--format", "{{.Manifest.Digest}}"];
  const { status, stdout, stderr, error } = spawnSync("docker", words, { encoding: "utf8" });
  const digest = (stdout ?? "").trim();
  if (status === 0 && DIGEST.test(digest)) return digest;
  console.error(`cannot read the digest of ${image}: ${error?.message ?? (stderr.trim() || digest)}`);
  process.exit(1);
}
