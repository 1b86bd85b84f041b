import type { z } from "zod";
import { describeIssue, expectation, isKindMismatch, nameOf, shown } from "./issue-words.ts";
import { keyPlaceOf, nodeAt, placeOf, toValue, type DocumentNode, type Place } from "../node.ts";
import { problemAt, type Problem } from "./problem.ts";
import { descriptionAt, innerKeys, keysAt } from "../schema-keys.ts";
import { isCertainName, suggest } from "./suggest.ts";

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

export interface SchemaProblemOptions {
  /** First part of the codes: "spec" gives "spec/unknown-key". */
  readonly area: string;
  /** Name of the root in messages: "a query". */
  readonly subject: string;
  /** Names of other tools for keys of this schema, and the key of each. */
  readonly otherNames?: ReadonlyMap<string, string>;
  /** Keys that are allowed at the top of the file, if a part of the file is checked. A hint says that such a key belongs there. */
  readonly outerKeys?: ReadonlySet<string>;
  /** Keys that are allowed in a query, if the root of the file is checked. A hint says that such a key belongs in a query. */
  readonly queryKeys?: ReadonlySet<string>;
}

/** Converts zod issues into problems with source positions. */
export function schemaProblems(
  issues: readonly Issue[],
  root: DocumentNode,
  schema: z.ZodType,
  options: SchemaProblemOptions,
): Problem[] {
  return issues.flatMap((issue) => new IssueReader(root, schema, options).problems(issue, []));
}

class IssueReader {
  private readonly root: DocumentNode;
  private readonly schema: z.ZodType;
  private readonly options: SchemaProblemOptions;

  constructor(root: DocumentNode, schema: z.ZodType, options: SchemaProblemOptions) {
    this.root = root;
    this.schema = schema;
    this.options = options;
  }

  problems(issue: Issue, prefix: Path): Problem[] {
    const path = [...prefix, ...issue.path];
    if (issue.code === "unrecognized_keys") return issue.keys.map((key) => this.unknownKey(key, path));
    if (issue.code === "invalid_union") return this.union(issue, path);
    if (issue.code === "invalid_key") return [this.wrongKey(issue, path)];
    return [this.wrongValue(issue, path)];
  }

  private unknownKey(key: string, path: Path): Problem {
    const place = keyPlaceOf(this.root, [...path, key]);
    const message = `${this.name(path)} has no key \`${key}\``;
    return problemAt(place, `${this.options.area}/unknown-key`, message, this.keyHint(key, path));
  }

  private keyHint(key: string, path: Path): string | null {
    const allowed = keysAt(this.schema, path);
    const other = this.otherName(key);
    if (other !== undefined && allowed.includes(other)) return `this is called \`${other}\` here`;
    if (this.options.outerKeys?.has(key) === true) return `\`${key}\` belongs at the top of the file`;
    if (path.length === 0 && this.options.queryKeys?.has(key) === true)
      return `\`${key}\` belongs in a query: an item of the list \`queries\``;
    const near = suggest(key, allowed);
    if (near !== undefined) return `did you mean \`${near}\`?`;
    const longer = allowed.filter((one) => one.startsWith(`${key}_`));
    if (longer.length === 1) return `did you mean \`${longer[0] ?? ""}\`?`;
    const inner = innerKeys(this.schema);
    const meant = [other ?? key, key].find((one) => inner.has(one)) ?? suggest(key, inner.keys());
    const elsewhere = meant === undefined ? undefined : inner.get(meant);
    if (elsewhere) return `\`${meant ?? ""}\` belongs under \`${elsewhere.join(".")}\``;
    return allowed.length > 0 && allowed.length <= 20 ? `keys: ${allowed.join(", ")}` : null;
  }

  /** Returns our key for a name that other tools use, in any spelling of the name; undefined if no other tool uses the name. */
  private otherName(key: string): string | undefined {
    for (const [name, meant] of this.options.otherNames ?? []) if (isCertainName(key, name)) return meant;
    return undefined;
  }

  /** Describes the problems of a value that can have several forms, for the form that is most similar to the value. */
  private union(issue: Extract<Issue, { code: "invalid_union" }>, path: Path): Problem[] {
    const value = this.valueAt(path);
    const sameKind = issue.errors.filter((branch) => !branch.some((each) => isKindMismatch(each)));
    const nearest = sameKind.toSorted((a, b) => a.length - b.length)[0];
    if (nearest) return nearest.flatMap((each) => this.problems(each, path));
    const expected = [...new Set(issue.errors.flat().map((each) => expectation(each)))].join(", or ");
    const place = placeOf(this.root, path);
    const message = `${this.name(path)} must be ${expected}, not ${shown(value, this.writtenAt(path))}`;
    return [problemAt(place, `${this.options.area}/wrong-type`, message, this.described(path))];
  }

  private wrongValue(issue: Issue, path: Path): Problem {
    const value = this.valueAt(path);
    const name = this.name(path);
    const place = placeOf(this.root, path);
    if (value === undefined || (value === null && issue.code === "invalid_type")) {
      const missing = value === undefined ? `${name} is missing` : `${name} is empty`;
      const described = this.described(path);
      const hint = `it must be ${expectation(issue)}${described === null ? "" : `. ${described}`}`;
      return problemAt(place, `${this.options.area}/missing-key`, missing, hint);
    }
    if (issue.code === "custom") return this.custom(issue, place, name);
    const written = this.writtenAt(path);
    const [code, hint] = describeIssue(issue, value, written);
    const message = `${name} must be ${expectation(issue)}, not ${shown(value, written)}`;
    const meaning = code === "wrong-type" || code === "not-one-of" ? this.described(path) : null;
    return problemAt(place, `${this.options.area}/${code}`, message, hint ?? meaning);
  }

  /** Converts a failed refinement. `params.code` and `params.hint` of the refinement become code and hint. */
  private custom(issue: Extract<Issue, { code: "custom" }>, place: Place, name: string): Problem {
    const code = issue.params?.["code"];
    const hint = issue.params?.["hint"];
    return problemAt(
      place,
      `${this.options.area}/${typeof code === "string" ? code : "bad-value"}`,
      `${name}: ${issue.message}`,
      typeof hint === "string" ? hint : null,
    );
  }

  private wrongKey(issue: Extract<Issue, { code: "invalid_key" }>, path: Path): Problem {
    const key = String(path.at(-1));
    const [inner] = issue.issues;
    const expected = inner ? expectation(inner) : "another one";
    const message = `the key \`${key}\` must be ${expected}`;
    return problemAt(keyPlaceOf(this.root, path), `${this.options.area}/bad-value`, message);
  }

  /** Returns what the value at a path means, after its key; null if the schema does not describe it. */
  private described(path: Path): string | null {
    const description = descriptionAt(this.schema, path);
    return description === null ? null : `${this.name(path)}: ${description}`;
  }

  private name(path: Path): string {
    return nameOf(path) ?? this.options.subject;
  }

  /** Returns the text of a scalar in the file; undefined for other values. */
  private writtenAt(path: Path): string | undefined {
    const node = nodeAt(this.root, path);
    return node?.kind === "scalar" ? node.text : undefined;
  }

  private valueAt(path: Path): unknown {
    const node = nodeAt(this.root, path);
    return node && toValue(node);
  }
}
