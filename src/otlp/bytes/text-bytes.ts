import type { TextBytes } from "../../model/telemetry/span-view.ts";
import { sameBytes } from "./byte-table.ts";
import { decodeText, unescape } from "./text.ts";

export class BodyText implements TextBytes {
  readonly view: DataView;
  readonly start: number;
  readonly end: number;
  readonly isEscaped: boolean;

  constructor(view: DataView, start: number, length: number, isEscaped: boolean) {
    this.view = view;
    this.start = start;
    this.end = start + length;
    this.isEscaped = isEscaped;
  }

  slice(from: number, to: number): string {
    const text = decodeText(this.view, from, to - from);
    return this.isEscaped ? unescape(text) : text;
  }

  matches(from: number, other: TextBytes, otherFrom: number, length: number): boolean {
    return (
      this.isEscaped === other.isEscaped &&
      from + length <= this.end &&
      otherFrom + length <= other.end &&
      sameBytes(this.view, from, other.view, otherFrom, length)
    );
  }
}
