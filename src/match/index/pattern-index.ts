import { compilePattern } from "../../model/patterns/pattern.ts";
import type { CompiledQuery } from "../../evaluate/query/compiled.ts";
import { isTemplate, parseTemplate } from "../../evaluate/query/template.ts";
import { hitOf, type Captures, type Hit } from "../hit.ts";
import { LiteralIndex } from "./literal-index.ts";
import { foldCase } from "../../evaluate/rules/fold-case.ts";
import { requiredLiteral } from "./required-literal.ts";
import {
  foldTemplate,
  matchTemplate,
  prepareText,
  type FoldedTemplate,
  type TemplateText,
} from "../rules/template-match.ts";

interface RegexEntry {
  readonly query: CompiledQuery;
  readonly groups: (text: string) => Captures | undefined;
  readonly literal: string;
}

interface TemplateEntry {
  readonly query: CompiledQuery;
  readonly template: FoldedTemplate;
}

/** Index of the `match.pattern` of all queries of a spec. A pattern is tested only if its fixed parts may occur in the text. */
export class PatternIndex {
  private readonly regexes: LiteralIndex<RegexEntry> | undefined;
  private readonly templates: LiteralIndex<TemplateEntry> | undefined;

  constructor(queries: readonly CompiledQuery[]) {
    const regexes = queries.flatMap(regexEntry);
    const templates = queries.flatMap(templateEntry);
    if (regexes.length > 0) this.regexes = new LiteralIndex(regexes, (entry) => [entry.literal]);
    if (templates.length > 0)
      this.templates = new LiteralIndex(templates, (entry) => entry.template.literals);
  }

  /** Returns the queries whose pattern matches the text. */
  hits(text: string): readonly Hit[] {
    const hits: Hit[] = [];
    if (this.templates) {
      const prepared = prepareText(text);
      for (const entry of this.templates.candidates(prepared.folded))
        hits.push(...templateHit(entry, prepared));
    }
    if (this.regexes) {
      for (const { query, groups } of this.regexes.candidates(foldCase(text))) {
        const captures = groups(text);
        if (captures) hits.push(hitOf(query, captures));
      }
    }
    return hits;
  }
}

function templateHit({ query, template }: TemplateEntry, text: TemplateText): Hit[] {
  const captures = matchTemplate(template, text);
  return captures ? [hitOf(query, captures)] : [];
}

function regexEntry(query: CompiledQuery): RegexEntry[] {
  const { pattern } = query.match;
  if (pattern === undefined || isTemplate(pattern)) return [];
  const result = compilePattern(pattern);
  if (!result.ok) return [];
  const literal = foldCase(requiredLiteral(pattern));
  return [{ query, groups: (text) => result.pattern.groups(text), literal }];
}

function templateEntry(query: CompiledQuery): TemplateEntry[] {
  const { pattern } = query.match;
  if (pattern === undefined || !isTemplate(pattern)) return [];
  const result = parseTemplate(pattern);
  return result.ok ? [{ query, template: foldTemplate(result.template) }] : [];
}
