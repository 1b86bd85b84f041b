import type { JsonValue } from "../model/json.ts";
import { canonical } from "./canonical.ts";

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

/** The uses that a name may stand for. */
interface Named {
  readonly all: Queue;
  readonly byArguments: Map<string, Queue>;
}

/** Uses that nothing is known to have run for, found by name and arguments, the first of several; each name is looked at once. */
export class OpenUses {
  readonly #wanted: readonly Wanted[];
  readonly #isOpen: (place: number) => boolean;
  readonly #isNamed: (asked: string | null, name: string) => boolean;
  readonly #named = new Map<string | undefined, Named>();

  constructor(
    wanted: readonly Wanted[],
    isOpen: (place: number) => boolean,
    isNamed: (asked: string | null, name: string) => boolean,
  ) {
    this.#wanted = wanted;
    this.#isOpen = isOpen;
    this.#isNamed = isNamed;
  }

  /** The first of this name and these arguments, else the first of this name; of any name when there is none, then with these arguments only. */
  find(name: string | undefined, args: JsonValue | undefined): number | undefined {
    let named = this.#named.get(name);
    if (named === undefined) this.#named.set(name, (named = this.#index(name)));
    const alike = named.byArguments.get(canonical(args));
    return (alike && this.#first(alike)) ?? (name === undefined ? undefined : this.#first(named.all));
  }

  #first(queue: Queue): number | undefined {
    while (queue.next < queue.places.length && !this.#isOpen(queue.places[queue.next] ?? -1)) queue.next++;
    return queue.places[queue.next];
  }

  #index(name: string | undefined): Named {
    const named: Named = { all: { places: [], next: 0 }, byArguments: new Map() };
    const isNamed = new Map<string | null, boolean>();
    for (const [place, wanted] of this.#wanted.entries()) {
      let fits = isNamed.get(wanted.name);
      if (fits === undefined)
        isNamed.set(wanted.name, (fits = name === undefined || this.#isNamed(wanted.name, name)));
      if (!fits) continue;
      named.all.places.push(place);
      const key = canonical(wanted.arguments);
      const alike = named.byArguments.get(key);
      if (alike === undefined) named.byArguments.set(key, { places: [place], next: 0 });
      else alike.places.push(place);
    }
    return named;
  }
}
