import { readFileSync } from "node:fs";
import * as agentci from "./agentci-commands.ts";
import { proofsOfCases } from "./cases.ts";
import { evalview } from "./evalview.ts";
import type { Proof, Section } from "./harness.ts";
import { contradictions, cost, engine, ragas, shared } from "./others.ts";
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

/** The proofs of each section of the page that are not in `cases.yaml`. */
const sections: Readonly<Record<string, Section>> = {
  "AgentCI: cost": cost,
  "AgentCI: spec, loader, engine": engine,
  "AgentCI: commands, reports, baselines": agentci.commands,
  "AgentCI: stability and audit": agentci.stability,
  EvalView: evalview,
  ProjectScylla: scylla,
  "Spring AI RAGAS agent metrics": ragas,
  "Where the sources contradict themselves": {
    ...contradictions,
    "AgentCI 14: baseline paths": evalview["trace artefact without content"] as Proof,
  },
  "Shared decisions": shared,
};

const cases = proofsOfCases();

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
  return sections[section]?.[rule] ?? cases[section]?.[rule];
}
