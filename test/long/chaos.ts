import { chaos } from "../chaos/chaos.ts";

const kills = Number(process.argv[2] ?? 200);
const report = await chaos({
  kills,
  random: Math.random,
  padding: 2000,
  onLife: (life) => process.stderr.write(`\rkilled ${life} of ${kills}`),
});
process.stderr.write("\n");
const { log, ...figures } = report;
console.log(JSON.stringify(figures, null, 2));
if (report.missing.length + report.wrong.length + report.doubled.length > 0) {
  console.log(log);
  process.exitCode = 1;
}
