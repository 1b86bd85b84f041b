import { reloadUnderLoad } from "../collector/reload-scenario.ts";

/*
 * npm run long -- reload: changes all files that a running process reads, 100 times under load. The process reloads because of the API, a
 * signal or a change of the file. One fifth of the changes are invalid. Prints figures and `good`.
 */

const figures = await reloadUnderLoad(Number(process.argv[2] ?? 100));
const good = figures.failed.length + figures.mixed.length + figures.wrong.length === 0;
console.log(JSON.stringify({ good, ...figures }, null, 2));
process.exitCode = good ? 0 : 1;
