import { declaredKey } from "../../model/telemetry/attribute-key.ts";
import type { AttributesView } from "../../model/telemetry/span-view.ts";
import { remembered } from "../../support/structures/bounded-memo.ts";

/** What an adapter says of a name. */
export interface ClaimedName {
  /** An adapter declares exactly this name, or it is one that means nothing. */
  readonly isDeclared: boolean;
  /** For an indexed name such as `llm.input_messages.7.message.role`, the prefix that an adapter declares: `llm.input_messages`. */
  readonly tree: string | undefined;
}

/** A long conversation has some thousands of indexed names. */
const MOST_INDEXED = 32_768;
/** Ids of names are smaller. */
const MOST_IDS = 65_536;
const MOST_ANSWERS = 255;
const ZERO = 48;
const NINE = 57;

const unclaimed: ClaimedName = { isDeclared: false, tree: undefined };

/** Which names of attributes some adapter claims, as they are or as parts of a list. */
export class ClaimedNames {
  readonly #trees: ReadonlySet<string>;
  readonly #claimed: readonly (boolean | undefined)[];
  readonly #ofName: (name: string) => ClaimedName;
  /** Everything that is said of names, which is little. */
  readonly #answers: ClaimedName[] = [unclaimed];
  /** By the id of a name: the place of what is said of it, counted from 1; 0 where it was not asked yet. */
  #answerOf: Uint8Array | undefined;

  /** `claimed`: by attribute key, whether it is declared. */
  constructor(
    sources: readonly { readonly tree: string | undefined }[],
    claimed: readonly (boolean | undefined)[],
  ) {
    this.#trees = new Set(sources.flatMap(({ tree }) => tree ?? []));
    this.#claimed = claimed;
    this.#ofName = remembered((name) => this.#tell(name), MOST_INDEXED);
  }

  /** Of the attribute at a place. */
  at(view: AttributesView, place: number): ClaimedName {
    const id = view.nameIdAt?.(place) ?? -1;
    const answerOf = (this.#answerOf ??= new Uint8Array(MOST_IDS));
    const known = this.#answers[(answerOf[id] ?? 0) - 1];
    if (known !== undefined) return known;
    const told = this.#ofName(view.nameAt(place));
    if (id >= 0 && id < MOST_IDS) answerOf[id] = this.#placeOf(told) + 1;
    return told;
  }

  /** The place of an answer in the list; -1 when the list is full: the name is then looked up anew each time. */
  #placeOf(told: ClaimedName): number {
    const place = this.#answers.findIndex(
      ({ isDeclared, tree }) => isDeclared === told.isDeclared && tree === told.tree,
    );
    if (place >= 0 || this.#answers.length === MOST_ANSWERS) return place;
    return this.#answers.push(told) - 1;
  }

  #tell(name: string): ClaimedName {
    const key = declaredKey(name);
    const isDeclared = key !== undefined && this.#claimed[key] === true;
    const tree = this.#treeOf(name);
    return isDeclared || tree !== undefined ? { isDeclared, tree } : unclaimed;
  }

  #treeOf(name: string): string | undefined {
    for (let dot = name.indexOf("."); dot >= 0; dot = name.indexOf(".", dot + 1)) {
      const digit = name.charCodeAt(dot + 1);
      if (digit < ZERO || digit > NINE) continue;
      const prefix = name.slice(0, dot);
      if (this.#trees.has(prefix)) return prefix;
    }
    return undefined;
  }
}
