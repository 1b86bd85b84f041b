import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { RubricTemplate } from "../../evaluate/judge/prompt/rubric.ts";
import { anchorProblem } from "../../evaluate/judge/prompt/anchors.ts";
import { readTemplate } from "../../evaluate/judge/prompt/template.ts";
import { OutsideError, readConfined } from "../../support/process/confined.ts";
import { packageFolder } from "../../support/process/package-folder.ts";
import { remembered } from "../../support/structures/bounded-memo.ts";

const MAX_BYTES = 1024 * 1024;

/** Parses a rubric template. Results are cached by text, because several specs use the same templates. */
const readTemplateText = remembered(readTemplate, 128, 16 * 1024);

export interface RubricFiles {
  readonly rubrics: ReadonlyMap<string, RubricTemplate>;
  /** Files that cannot be used, each with the reason. */
  readonly problems: readonly string[];
  /** Warnings about usable templates whose scale does not fit the scores of judges (1 to 5). */
  readonly warnings: readonly string[];
}

/** Returns the folder of the built-in templates: `config/rubrics` of the package. */
export function ownRubricFolder(): string {
  return fileURLToPath(new URL("config/rubrics", packageFolder()));
}

/** Reads all templates of the folders. A template replaces the template with the same name and version of an earlier folder. */
export async function loadRubrics(folders: readonly string[]): Promise<RubricFiles> {
  const rubrics = new Map<string, RubricTemplate>();
  const problems: string[] = [];
  const warnings: string[] = [];
  for (const folder of folders) {
    const names = await readdir(folder).catch(() => {
      problems.push(`${folder}: cannot be read`);
      return [];
    });
    for (const name of names.filter((it) => /\.ya?ml$/.test(it)).sort())
      addTemplate(folder, name, rubrics, { problems, warnings });
  }
  return { rubrics, problems, warnings };
}

function addTemplate(
  folder: string,
  fileName: string,
  rubrics: Map<string, RubricTemplate>,
  { problems, warnings }: { readonly problems: string[]; readonly warnings: string[] },
): void {
  const path = join(folder, fileName);
  const source = readTemplateFile(folder, fileName);
  if (typeof source !== "string") {
    problems.push(`${path}: cannot be read${source.why}`);
    return;
  }
  const read = readTemplateText(source);
  if (!read.ok) {
    problems.push(...read.problems.map((it) => `${path}: ${it}`));
    return;
  }
  const { template } = read;
  const scale = template.criteria.length > 0 ? null : anchorProblem(template.scale, template.threshold);
  if (scale !== null) warnings.push(`${path}: ${scale.message}; ${scale.hint}`);
  const expected = `${template.name}.v${template.version}`;
  if (fileName.replace(/\.ya?ml$/, "") === expected) rubrics.set(template.id, template);
  else
    problems.push(
      `${path}: the file contains the template ${template.id}, so its name must be ${expected}.yaml`,
    );
}

function readTemplateFile(folder: string, fileName: string): string | { readonly why: string } {
  try {
    return readConfined(folder, fileName, MAX_BYTES);
  } catch (error) {
    return { why: error instanceof OutsideError ? ", a symbolic link leads out of the folder" : "" };
  }
}
