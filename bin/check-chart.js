#!/usr/bin/env node
// `node bin/check-chart.js` lints charts/tracejury with its default values and the values in ci/. It checks the rendered resources against
// the schemas of the oldest and the newest Kubernetes (kubernetes-validate) and loads the rendered configuration with the command. HELM
// names Helm's program; by default, it is the `helm` on the path; if there is none, Helm is built with Go. PYTHON names the Python
// (default: `python3`). Needs the registries of Go and Python packages.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseAllDocuments } from "yaml";

const HELM = "helm.sh/helm/v3/cmd/helm@v3.19.5";
const KUBERNETES_VALIDATE = "kubernetes-validate==1.37.0";
const KUBERNETES = ["1.27.0", "1.37.0"];

const root = fileURLToPath(new URL("..", import.meta.url));
const chart = join(root, "charts/tracejury");
const scratch = mkdtempSync(join(tmpdir(), "tracejury-chart-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));

const helm = process.env["HELM"] ?? installHelm();
must(process.env["PYTHON"] ?? "python3", "-m", "venv", scratch);
must(join(scratch, "bin/python"), "-m", "pip", "install", "--quiet", KUBERNETES_VALIDATE);

let failures = 0;
const cases = readdirSync(join(chart, "ci")).map((file) => ({
  name: file,
  values: ["--values", join(chart, "ci", file)],
}));
for (const { name, values } of [{ name: "the default values", values: [] }, ...cases]) {
  check(`${name}: helm lint`, run(helm, "lint", "--strict", chart, ...values));
  for (const version of KUBERNETES) {
    const rendered = run(
      helm,
      "template",
      "release",
      chart,
      "--namespace",
      "agents",
      `--kube-version=${version}`,
      ...values,
    );
    const file = join(scratch, "rendered.yaml");
    writeFileSync(file, rendered.stdout);
    const validate = ["--strict", "--kubernetes-version", version.replace(/\.\d+$/, ""), file];
    check(
      `${name}: valid in Kubernetes ${version}`,
      rendered.status === 0 ? run(join(scratch, "bin/kubernetes-validate"), ...validate) : rendered,
    );
    if (version === KUBERNETES.at(-1))
      check(`${name}: the configuration is valid`, configOf(rendered.stdout));
  }
}
refused("no choice of authentication", /no authentication is configured/, "auth.generate=false");
refused("two choices of authentication", /exclude each other/, "auth.open=true,auth.existingSecret=tokens");
refused("an unknown value", /persistance/, "persistance.enabled=false");
check("the chart can be packaged", run(helm, "package", chart, "--destination", scratch));
process.exitCode = failures === 0 ? 0 : 1;

/** Runs `config print` on the rendered configuration, with a test value for the variable that the cluster would provide. */
function configOf(rendered) {
  const configuration = parseAllDocuments(rendered)
    .map((document) => document.toJS())
    .find(({ kind, data }) => kind === "ConfigMap" && "chart.yaml" in data);
  const files = Object.entries(configuration.data).map(([name, text]) => {
    writeFileSync(join(scratch, name), text);
    return `--config=${join(scratch, name)}`;
  });
  return run(process.execPath, join(root, "bin/tracejury.js"), "config", "print", ...files);
}

function refused(what, reason, values) {
  const { status, stdout, stderr } = run(
    helm,
    "template",
    "release",
    chart,
    `--kube-version=${KUBERNETES[0]}`,
    "--set",
    values,
  );
  check(`refuses: ${what}`, { status: status !== 0 && reason.test(stderr) ? 0 : 1, stdout, stderr });
}

function installHelm() {
  if (spawnSync("helm", ["version"]).status === 0) return "helm";
  must("go", "install", HELM);
  return join(scratch, "helm");
}

function must(command, ...words) {
  const { status, stdout, stderr } = run(command, ...words);
  if (status === 0) return;
  console.error(`chart: ${command} ${words.join(" ")} failed with exit code ${status}\n${stdout}${stderr}`);
  process.exit(2);
}

function run(command, ...words) {
  const { status, stdout, stderr, error } = spawnSync(command, words, {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    env: { ...process.env, GOBIN: scratch, PHOENIX_API_KEY: "of-the-cluster" },
  });
  return { status, stdout: stdout ?? "", stderr: error?.message ?? stderr };
}

function check(what, { status, stdout, stderr }) {
  console.log(`${status === 0 ? "✓" : "✗"} ${what}`);
  if (status === 0) return;
  failures++;
  console.log(`${stdout}${stderr}`);
}
