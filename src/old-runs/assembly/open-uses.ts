import type { JsonValue } from "../../model/json.ts";
import { AlikeNames } from "../text/alike-names.ts";
import { canonicalArguments } from "../text/canonical-arguments.ts";

/** What a use of a tool was asked for with. */
export interface Wanted {
  readonly name: string | null;
  readonly arguments: JsonValue | undefined;
}

/** Places of some uses, in order; those before `next` are taken. */
interface Queue {
  readonly places: number[];
  next: number;
}

/** The uses of one name, or of any. */
class Named {
  readonly all: Queue = { places: [], next: 0 };
  readonly #byArguments = new Map<string, Queue>();

  add(place: number, args: string): void {
    this.all.places.push(place);
    const alike = this.#byArguments.get(args);
    if (alike === undefined) this.#byArguments.set(args, { places: [place], next: 0 });
    else alike.places.push(place);
  }

  with(args: string): Queue | undefined {
    return this.#byArguments.get(args);
  }
}

interface Index {
  readonly any: Named;
  readonly byName: ReadonlyMap<string, Named>;
  readonly names: AlikeNames;
}

/** Uses that nothing is known to have run for, found by name and arguments, the first of several. */
export class OpenUses {
  readonly #wanted: readonly Wanted[];
  readonly #isOpen: (place: number) => boolean;
  #named: Map<string, readonly Named[]> | undefined;
  #index: Index | undefined;

  constructor(wanted: readonly Wanted[], isOpen: (place: number) => boolean) {
    this.#wanted = wanted;
    this.#isOpen = isOpen;
  }

  /** The first of this name and with these arguments; of any name when there is none. */
  withArguments(name: string | undefined, args: JsonValue | undefined): number | undefined {
    if (this.#wanted.length === 0) return undefined;
    const index = this.#indexed();
    if (index.any.all.places.length === 0) return undefined;
    const key = canonicalArguments(args);
    const named = name === undefined ? [index.any] : this.#namedLike(name, index);
    return this.#first(named.map((one) => one.with(key)));
  }

  /** The first of this name, whatever its arguments. */
  named(name: string | undefined): number | undefined {
    if (this.#wanted.length === 0 || name === undefined) return undefined;
    const index = this.#indexed();
    return this.#first(this.#namedLike(name, index).map(({ all }) => all));
  }

  /** Of those that are open: what is taken stays so. */
  #indexed(): Index {
    return (this.#index ??= indexOf(this.#wanted, this.#isOpen));
  }

  #namedLike(name: string, { byName, names }: Index): readonly Named[] {
    const known = (this.#named ??= new Map<string, readonly Named[]>());
    let named = known.get(name);
    if (named === undefined) {
      named = Array.from(names.to(name), (one) => byName.get(one)).filter((one) => one !== undefined);
      known.set(name, named);
    }
    return named;
  }

  #first(queues: readonly (Queue | undefined)[]): number | undefined {
    let first: number | undefined;
    for (const queue of queues) {
      if (queue === undefined) continue;
      while (queue.next < queue.places.length && !this.#isOpen(queue.places[queue.next] ?? -1)) queue.next++;
      const place = queue.places[queue.next];
      if (place !== undefined && place < (first ?? Infinity)) first = place;
    }
    return first;
  }
}

function indexOf(wanted: readonly Wanted[], isOpen: (place: number) => boolean): Index {
  const any = new Named();
  const byName = new Map<string, Named>();
  for (const [place, { name, arguments: args }] of wanted.entries()) {
    if (!isOpen(place)) continue;
    const key = canonicalArguments(args);
    any.add(place, key);
    if (name === null) continue;
    let named = byName.get(name);
    if (named === undefined) byName.set(name, (named = new Named()));
    named.add(place, key);
  }
  return { any, byName, names: new AlikeNames(byName.keys()) };
}
