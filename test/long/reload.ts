import { reloadUnderLoad } from "../collector/reload-scenario.ts";

/*
 * npm run long -- reload: a hundred changes of everything that a running process reads, under load, told by the API, by signals and by the files
 * themselves, a fifth of them broken. Prints figures and `good`.
 */

const figures = await reloadUnderLoad(Number(process.argv[2] ?? 100));
const good = figures.failed.length + figures.mixed.length + figures.wrong.length === 0;
console.log(JSON.stringify({ good, ...figures }, null, 2));
process.exitCode = good ? 0 : 1;
