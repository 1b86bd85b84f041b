import { readFileSync } from "node:fs";
import * as agentciChecks from "./agentci-checks.ts";
import * as agentciCommands from "./agentci-commands.ts";
import { engine } from "./agentci-engine.ts";
import { judge } from "./agentci-judge.ts";
import { contradictions, shared } from "./contradictions.ts";
import { evalview } from "./evalview.ts";
import type { Proof, Section } from "./harness.ts";
import { ragas } from "./ragas.ts";
import { scylla } from "./scylla.ts";

/** A row of docs/parity.md. */
export interface Row {
  readonly section: string;
  readonly rule: string;
  readonly ours: string;
  /** Commands that reach the rule, in backticks; `none` if no command does. An empty cell means `test`. */
  readonly command: string;
  readonly decision: string;
}

/** The proofs of each section of the page. */
const sections: Readonly<Record<string, Section>> = {
  "AgentCI: correctness": agentciChecks.correctness,
  "AgentCI: path": agentciChecks.path,
  "AgentCI: cost": agentciChecks.cost,
  "AgentCI: judge": judge,
  "AgentCI: spec, loader, engine": engine,
  "AgentCI: commands, reports, baselines": agentciCommands.commands,
  "AgentCI: stability and audit": agentciCommands.stability,
  EvalView: evalview,
  ProjectScylla: scylla,
  "Spring AI RAGAS agent metrics": ragas,
  "Where the sources contradict themselves": contradictions,
  "Shared decisions": shared,
};

export function rowsOf(): readonly Row[] {
  let section = "";
  return readFileSync("docs/parity.md", "utf8")
    .split("\n")
    .flatMap((line) => {
      if (line.startsWith("## ")) section = line.slice(3);
      if (!line.startsWith("| ") || line.startsWith("| rule |")) return [];
      const cells = line.split("|").map((cell) => cell.trim());
      const [, rule = "", ours = "", command = "", decision = ""] = cells;
      return [{ section, rule, ours, command: command || "`test`", decision }];
    });
}

/** The commands that a row names. */
export function commandsOf({ command }: Row): readonly string[] {
  return [...command.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
}

export function proofOf({ section, rule }: Row): Proof | undefined {
  return sections[section]?.[rule];
}
