import { queryKey, type Table, tableOf, type TableRow, type TableRows } from "./table-rows.ts";

/** An item for a row of a table. */
export interface RowItem<Item> {
  readonly item: Item;
  readonly row: TableRow;
}

/** A single item, or all items that are about rows of one table, in their original order. */
export interface Folded<Item> {
  readonly first: Item;
  /** The table; null for a single item. */
  readonly table: Table | null;
  /** The items with their rows; empty for an item that is not about a row of a table. */
  readonly rows: readonly RowItem<Item>[];
}

/**
 * Combines items that are about rows of one table into one entry, at the position of the first of these items. A single row is not folded.
 * @param kindOf returns a value that, like the table, must be equal for all items of an entry
 */
export function foldRows<Item>(
  items: readonly Item[],
  rowsByQuery: TableRows,
  queryOf: (item: Item) => { readonly spec: string; readonly query_id: string },
  kindOf: (item: Item) => string = () => "",
): Folded<Item>[] {
  const groups = new Map<string, { first: Item; table: Table | null; rows: RowItem<Item>[] }>();
  items.forEach((item, at) => {
    const { spec, query_id: id } = queryOf(item);
    const row = rowsByQuery.get(queryKey(spec, id));
    if (row === undefined) {
      groups.set(String(at), { first: item, table: null, rows: [] });
      return;
    }
    const table = tableOf(spec, row);
    const key = JSON.stringify([table.key, kindOf(item)]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { first: item, table, rows: [{ item, row }] });
    else group.rows.push({ item, row });
  });
  return [...groups.values()].map((group) => (group.rows.length > 1 ? group : { ...group, table: null }));
}
