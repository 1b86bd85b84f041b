import { codeKey } from "./meaning.ts";

/** A code written in groups, such as `1Z 999 AA1 01 2345 6784`. */
export interface GroupedCode {
  readonly start: number;
  readonly end: number;
  readonly key: string;
}

const MOST_GROUPS = 12;
const LEAST_LENGTH = 6;
const groups = new RegExp(
  String.raw`(?<![\p{L}\p{N}.,:/+-]|\p{Sc} ?|\+[\d ()]{1,16})[A-Z\d]{1,12}(?:[ -][A-Z\d]{1,12}){1,${MOST_GROUPS - 1}}(?![\p{L}\p{N}]|[.,:/]\d| ?[%\p{Sc}])`,
  "gu",
);

/** Returns all codes that adjacent groups of capitals and digits may form: one list for each sequence of groups. */
export function groupedCodes(text: string): readonly (readonly GroupedCode[])[] {
  return [...text.matchAll(groups)].map(({ 0: row, index }) => {
    const parts = [...row.matchAll(/[A-Z\d]+/g)];
    return parts.flatMap((first, from) =>
      parts.slice(from + 1).flatMap((last, more): GroupedCode[] => {
        const joined = parts.slice(from, from + more + 2).map(([part]) => part);
        const code = joined.join("");
        // Excludes `1000 GB`, which is an amount, and `98765 43210`, which is probably a telephone number.
        if (
          joined.length === 2 &&
          !/\d[A-Z]+( |$)|[A-Z]\d|^\d{4,} \d{5,}$|^\d{3,4} 0\d{2,3}$|^0\d{2,3} \d{3,4}$/.test(
            joined.join(" "),
          )
        )
          return [];
        const digits = code.match(/\d/g)?.length ?? 0;
        if (code.length < LEAST_LENGTH || digits < 2) return [];
        const end = index + last.index + last[0].length;
        return [{ start: index + first.index, end, key: codeKey(code) }];
      }),
    );
  });
}
