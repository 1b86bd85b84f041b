import { queryKey, type Table, tableOf, type TableRow, type TableRows } from "./table-rows.ts";

/** An item about a row, with the row. */
export interface RowItem<Item> {
  readonly item: Item;
  readonly row: TableRow;
}

/** An item by itself, or those about several rows of one table, in the order in which they were given. */
export interface Folded<Item> {
  readonly first: Item;
  /** Null for an item by itself. */
  readonly table: Table | null;
  /** Empty for an item that is about no row. */
  readonly rows: readonly RowItem<Item>[];
}

/**
 * Puts items about rows of one table together, where the first of them was; one that is alone stays by itself.
 * @param kindOf what items must share besides the table
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
