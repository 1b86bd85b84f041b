export type Labels = readonly (string | null)[];

/** The value of a metric for one combination of attribute values. */
export interface Series<Value> {
  /**
   * Labels in the order of the metric's attributes; null for the series of all combinations above the limit.
   */
  readonly labels: Labels | null;
  readonly value: Value;
}

interface Node<Value> {
  readonly children: Map<string | null, Node<Value>>;
  series: Series<Value> | undefined;
}

/**
 * Series by attribute values. After `most` series, all further combinations of values share one more series. A series is looked up by one
 * attribute value after another, because building a combined key would take longer than incrementing the count.
 */
export class SeriesTable<Value> {
  readonly #most: number;
  readonly #make: () => Value;
  readonly #root = node<Value>();
  readonly #all: Series<Value>[] = [];
  #overflow: Series<Value> | undefined;

  constructor(most: number, make: () => Value) {
    this.#most = most;
    this.#make = make;
  }

  /** Returns the value of a series; creates the series if there is none. */
  at(labels: Labels): Value {
    let found: Node<Value> | undefined = this.#root;
    for (const label of labels) found = found?.children.get(label);
    return (found?.series ?? this.#add(labels)).value;
  }

  all(): readonly Series<Value>[] {
    return this.#overflow === undefined ? this.#all : [...this.#all, this.#overflow];
  }

  #add(labels: Labels): Series<Value> {
    if (this.#all.length >= this.#most) return (this.#overflow ??= { labels: null, value: this.#make() });
    let at = this.#root;
    for (const label of labels) {
      let next = at.children.get(label);
      if (next === undefined) at.children.set(label, (next = node()));
      at = next;
    }
    at.series = { labels, value: this.#make() };
    this.#all.push(at.series);
    return at.series;
  }
}

function node<Value>(): Node<Value> {
  return { children: new Map(), series: undefined };
}
