import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "../hooks.ts";

interface VirtualListProps<Item> {
  readonly items: readonly Item[];
  readonly rowHeight: number;
  readonly label: string;
  readonly keyOf: (item: Item) => string;
  readonly children: (item: Item, index: number) => ComponentChildren;
  /** Whether there are rows beyond the last one. */
  readonly hasMore?: boolean;
  /** Called when the end comes near. */
  readonly onEnd?: () => void;
  /** The row to bring into view whenever it changes; -1: none. */
  readonly show?: number;
  /** Given, the row is brought into view when this changes, and not when rows are added before it. */
  readonly showKey?: string;
  /** Stays above the rows. */
  readonly head?: ComponentChildren;
  /** Called when the list is scrolled away from its top, and back to it. */
  readonly onTop?: (isTop: boolean) => void;
  /** The list is where it was left when one of the same key was shown before. */
  readonly scrollKey?: string;
  /** Rows that are shown without scrolling, when there are fewer the list is lower. */
  readonly most?: number;
}

const spare = 8;

/** Where lists were left, by their keys. */
const scrolled = new Map<string, number>();

/** A list of rows of one height, of which only those near the window exist: length costs nothing. */
export function VirtualList<Item>(props: VirtualListProps<Item>) {
  const {
    items,
    rowHeight,
    label,
    keyOf,
    children,
    onEnd,
    show = -1,
    showKey,
    most,
    head,
    hasMore,
    onTop,
    scrollKey,
  } = props;
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 800 });
  const isTop = useRef(true);
  const look = (): void => {
    const element = box.current;
    if (element === null) return;
    setView({ top: element.scrollTop, height: element.clientHeight });
    if (scrollKey !== undefined) scrolled.set(scrollKey, element.scrollTop);
    if (element.scrollTop < rowHeight === isTop.current) return;
    isTop.current = !isTop.current;
    onTop?.(isTop.current);
  };
  useLayoutEffect(() => {
    const top = scrollKey === undefined ? undefined : scrolled.get(scrollKey);
    if (box.current === null || top === undefined) return;
    box.current.scrollTop = top;
    look();
  }, [scrollKey]);
  useEffect(() => {
    look();
    window.addEventListener("resize", look);
    return () => window.removeEventListener("resize", look);
  }, [items.length === 0]);
  useEffect(() => {
    const element = box.current;
    if (element === null || show < 0) return;
    const top = show * rowHeight;
    const seen = top >= element.scrollTop && top + rowHeight <= element.scrollTop + element.clientHeight;
    if (!seen) element.scrollTop = Math.max(0, top - element.clientHeight / 3);
    look();
  }, [showKey ?? show, show < 0]);
  const first = Math.max(0, Math.floor(view.top / rowHeight) - spare);
  const last = Math.min(items.length, Math.ceil((view.top + view.height) / rowHeight) + spare);
  useEffect(() => {
    if (last >= items.length - spare) onEnd?.();
  }, [last, items.length]);
  const height = most === undefined ? undefined : `${Math.min(items.length, most) * rowHeight + 2}px`;
  return (
    <div
      ref={box}
      class="virtual"
      role="region"
      aria-label={label}
      tabIndex={0}
      data-more={hasMore ? "" : undefined}
      onScroll={look}
      style={height === undefined ? {} : { height }}
    >
      {head !== undefined && <div class="list-head">{head}</div>}
      <ul style={{ height: `${items.length * rowHeight}px` }}>
        {items.slice(first, last).map((item, at) => (
          <li
            key={keyOf(item)}
            style={{ transform: `translateY(${(first + at) * rowHeight}px)`, height: `${rowHeight}px` }}
          >
            {children(item, first + at)}
          </li>
        ))}
      </ul>
    </div>
  );
}
