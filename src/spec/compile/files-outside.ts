import { type DocumentNode, entryOf } from "../document/node.ts";
import { type Problem, warningAt } from "../document/problems/problem.ts";
import { isAbsolute, isInside, joinPath } from "../document/source-reader.ts";

/** Reports `baseline_dir` and context files outside the spec's folder, which are not read. */
export function filesOutside(root: DocumentNode, queries: readonly DocumentNode[]): Problem[] {
  const folder = entryOf(root, "baseline_dir")?.node;
  return [
    ...(folder === undefined
      ? []
      : outside(
          folder,
          "move it below the spec's folder, or name it with --baseline-dir or in tracejury.yaml",
        )),
    ...queries.flatMap((query) =>
      contextFilesIn(query).flatMap((file) =>
        outside(file, "move it into the spec's folder or a folder below"),
      ),
    ),
  ];
}

function outside(node: DocumentNode, hint: string): Problem[] {
  if (node.kind !== "scalar" || typeof node.value !== "string") return [];
  const path = node.value;
  if (!isAbsolute(path) && isInside("", joinPath("", path.replaceAll("\\", "/")))) return [];
  return [
    warningAt(
      node.at,
      "spec/outside",
      `${path} is absolute or outside the spec's folder, and is not read`,
      hint,
    ),
  ];
}

function contextFilesIn(node: DocumentNode): DocumentNode[] {
  if (node.kind === "list") return node.items.flatMap(contextFilesIn);
  if (node.kind !== "map") return [];
  return [...node.entries].flatMap(([key, entry]) =>
    key === "context_file" ? [entry.node] : contextFilesIn(entry.node),
  );
}
