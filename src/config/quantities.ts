import { z } from "zod";

const durationUnits: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

const sizeUnits: Readonly<Record<string, number>> = {
  B: 1,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
};

const durationForm = /^(?:\d+(?:\.\d+)?(?:ms|[smhd]))+$/;
const sizeForm = /^(\d+(?:\.\d+)?) ?([KMGT]i?B|B)$/;

/** Pattern of durations for JSON Schema. */
export const durationPattern = durationForm.source;
export const sizePattern = sizeForm.source;

/** Converts a duration such as `1h30m` into milliseconds; undefined if invalid. */
export function parseDuration(text: string): number | undefined {
  if (!durationForm.test(text)) return undefined;
  let sum = 0;
  for (const [, digits, unit] of text.matchAll(/([\d.]+)(ms|[smhd])/g))
    sum += Number(digits) * (durationUnits[unit ?? ""] ?? 0);
  return sum;
}

/** Converts a size such as `64MiB` into bytes; undefined if invalid. */
export function parseSize(text: string): number | undefined {
  const [, digits, unit] = sizeForm.exec(text) ?? [];
  return unit === undefined ? undefined : Math.floor(Number(digits) * (sizeUnits[unit] ?? 0));
}

interface Bounds {
  readonly min?: string;
  readonly max?: string;
}

/** Schema of a duration such as `2m`. The value is not converted and stays a text, so that a JSON Schema can be derived. */
export function duration(bounds: Bounds = {}): z.ZodString {
  return quantity("a duration such as 500ms, 6s, 2m, 1h or 7d", durationForm, parseDuration, bounds);
}

/** Schema of a size such as `64MiB`. The value is not converted and stays a text, so that a JSON Schema can be derived. */
export function size(bounds: Bounds = {}): z.ZodString {
  return quantity("a size such as 64MiB or 2GiB", sizeForm, parseSize, bounds);
}

function quantity(
  words: string,
  form: RegExp,
  parse: (text: string) => number | undefined,
  { min, max }: Bounds,
): z.ZodString {
  return z
    .string({ error: words })
    .regex(form, words)
    .superRefine((text, context) => {
      const value = parse(text);
      if (value === undefined) return;
      if (min !== undefined && value < (parse(min) ?? 0))
        context.addIssue({ code: "custom", message: `must be at least ${min}` });
      if (max !== undefined && value > (parse(max) ?? Infinity))
        context.addIssue({ code: "custom", message: `must be at most ${max}` });
    });
}
