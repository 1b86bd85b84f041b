#!/usr/bin/env node
// Writes docs/licences.md: all packages that are installed with Tracejury, and their licences, from the lock file. With `--check`, only
// reports whether the page is out of date.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const file = `${root}docs/licences.md`;

/** Licences whose only requirement is that their text and a notice are included. */
const permissive = [
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "ISC",
  "MIT",
  "Unlicense",
];

const { packages } = JSON.parse(readFileSync(`${root}package-lock.json`, "utf8"));
const shipped = Object.entries(packages)
  .filter(([path, { dev, devOptional, peer }]) => path !== "" && !dev && !devOptional && !peer)
  .map(([path, { version, license, optional }]) => ({
    name: path.replace(/^.*node_modules\//, ""),
    version,
    license: license ?? "unknown",
    optional: optional === true,
  }))
  .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.version < b.version ? -1 : 1));
const strange = shipped.filter(({ license }) => !permissive.includes(license));
const licences = [...new Set(shipped.map(({ license }) => license))].sort((a, b) => a.localeCompare(b));
const sectionOf = (licence) => {
  const packages = shipped.filter(({ license }) => license === licence);
  const names = packages.map(
    ({ name, version, optional }) => `${name} ${version}${optional ? " (optional)" : ""}`,
  );
  const lines = names.join(", ").replaceAll(/(.{1,100})(?: |$)/g, "$1\n");
  return `## ${licence}: ${packages.length} package${packages.length === 1 ? "" : "s"}\n\n${lines}`;
};
const text = `# Licences

After this page you know the licence of each of the ${shipped.length} packages that come with Tracejury.
\`node bin/licences.js\` makes this page from the lock file. Optional packages are installed if they
support the machine. To write a bill of materials:

\`\`\`
npm sbom --omit dev --sbom-format cyclonedx
\`\`\`

${licences.map(sectionOf).join("\n")}`;

for (const { name, version, license } of strange)
  console.error(
    `${name}@${version}: check whether its licence ${license} is permissive, then add it to bin/licences.js`,
  );
if (process.argv.includes("--check")) {
  const stale = readFileSync(file, "utf8") !== text;
  if (stale) console.error("docs/licences.md is stale: run node bin/licences.js");
  process.exitCode = stale || strange.length > 0 ? 1 : 0;
} else {
  writeFileSync(file, text);
  process.exitCode = strange.length > 0 ? 1 : 0;
}
