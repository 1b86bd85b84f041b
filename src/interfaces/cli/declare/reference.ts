import type { Argument, Command, Option } from "commander";
import { dumps } from "./option-values.ts";

/**
 * Returns the command-line reference as Markdown: each command with arguments, options, defaults and an
 * example.
 */
export function renderCommandReference(program: Command): string {
  const commands = leaves(program);
  const without = commands.filter(({ options }) => !options.some(({ flags }) => commonOptions.has(flags)));
  const exceptions = without.map((command) => `\`${titleOf(command)}\``).join(", ");
  const sections = commands.map(sectionOf);
  return `${intro.replace("EXCEPTIONS", exceptions)}\n${sections.join("\n")}`;
}

/** Returns the commands that have no subcommands, such as `config print`. */
function leaves(command: Command): readonly Command[] {
  return command.commands.flatMap((one) => (one.commands.length > 0 ? leaves(one) : [one]));
}

function sectionOf(command: Command): string {
  const lines = [
    `## ${titleOf(command)}`,
    "",
    sentence(command.description()),
    "",
    "```bash",
    ...examplesOf(command),
    "```",
    "",
    ...rows(command),
  ];
  return `${lines.join("\n")}\n`;
}

/** Returns the command without the name of the program. */
function titleOf(command: Command): string {
  return nameOf(command).replace(/^tracejury /, "");
}

function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}

function rows(command: Command): readonly string[] {
  const options = command.options.filter(({ hidden, flags }) => !hidden && !commonOptions.has(flags));
  const described = command.registeredArguments.filter(({ description }) => description !== "");
  if (options.length + described.length === 0) return [];
  return [
    "| argument or option | default | |",
    "|---|---|---|",
    ...described.map(
      (one) =>
        `| \`${cell(argumentText(one))}\` | | ${cell(one.description === dumps ? "dumps" : one.description)} |`,
    ),
    ...options.map((one) => `| \`${cell(one.flags)}\` |${fallback(one)} | ${cell(one.description)} |`),
  ];
}

/** Options of most commands, which the page describes once. */
const commonOptions: ReadonlySet<string> = new Set(["--config <file>", "--no-config", "--set <key=value>"]);

function argumentText(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

function fallback({ defaultValue, mandatory }: Option): string {
  if (mandatory && isEmpty(defaultValue)) return " required";
  return isEmpty(defaultValue) ? "" : ` \`${cell(String(defaultValue))}\``;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}

/** Returns the example at the end of a command's `--help`. */
function examplesOf(command: Command): readonly string[] {
  let help = "";
  command.configureOutput({ writeOut: (text) => void (help += text) }).outputHelp();
  const [, after = ""] = help.split(/^Example:\n/m);
  return after
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}

const intro = `<!-- Made from src/interfaces/cli/declare*.ts by npm run generate. -->

# Commands

After this page you can find the command for a task, its options and its exit codes.
\`tracejury COMMAND --help\` prints the same information.

\`\`\`sh exit=1
tracejury test test/fixtures/runs/rag-*.jsonl --spec specs/rag-agent.yaml --judge off --format json > result.json
\`\`\`

Commands write results to standard output, and messages and progress to standard error. Output has
no colour if standard output is not a terminal, or if \`NO_COLOR\` is set.

### Exit codes

| exit code | meaning |
|---|---|
| 0 | passed; warnings are allowed |
| 1 | a check failed, a run ended in an error, a forbidden tool was called, or a gate did not pass (\`--fail-on warn\`, \`reliability:\`) |
| 2 | undecided: wrong usage, an invalid spec or input (1 in \`validate\`), a failed judge or another failure, incomplete evidence, queries without a run |

If several exit codes apply, 1 takes precedence over 2, and 2 over 0.

### Common options

| option | |
|---|---|
| \`--config <file>\` | configuration file; repeat to merge several files ([configuration.md](configuration.md)) |
| \`--no-config\` | ignore the \`tracejury.yaml\` of the project |
| \`--set <key=value>\` | set a configuration key, such as \`receive.http=127.0.0.1:0\` |

All commands except EXCEPTIONS have these options.

Without \`--config\`, a command reads \`tracejury.yaml\` in the working directory or the nearest folder
above, up to the folder with \`.git\`. [spec.md](spec.md) describes specs.

A *dump* is recorded OTLP telemetry: a file, a folder, a glob, \`-\` for standard input, the admin
address of a running \`serve\`, or a source of [pull](pull.md). The option \`--help\` of a command lists
the kinds of dumps that it accepts.

### Compile cache

Tracejury caches its compiled code, so the next start needs less CPU time. The cache is
\`$XDG_CACHE_HOME/tracejury\` or \`~/.cache/tracejury\` (macOS: \`~/Library/Caches/tracejury\`, Windows:
\`%LOCALAPPDATA%\\tracejury\`). Tracejury uses the folder only if no other user can write to the
folder. \`NODE_DISABLE_COMPILE_CACHE=1\` disables the cache.
`;
