import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "../hooks.ts";

interface VirtualListProps<Item> {
  readonly items: readonly Item[];
  readonly rowHeight: number;
  readonly label: string;
  readonly keyOf: (item: Item) => string;
  readonly children: (item: Item, index: number) => ComponentChildren;
  /** Whether there are further rows that are not loaded yet. */
  readonly hasMore?: boolean;
  /** Called when the list is scrolled near its end. */
  readonly onEnd?: () => void;
  /** Index of the row to which the list scrolls when the index changes; -1 for none. */
  readonly show?: number;
  /** If given, the list scrolls to `show` only when this key changes. So it does not scroll when rows are added before the shown row. */
  readonly showKey?: string;
  /** Shown above the rows. */
  readonly head?: ComponentChildren;
  /** Called when the list is scrolled away from the top or back to it. */
  readonly onTop?: (isTop: boolean) => void;
  /** If a list with the same key was shown before, the list starts at the scroll position of that list. */
  readonly scrollKey?: string;
  /** Maximum number of rows that are visible without scrolling. */
  readonly most?: number;
}

const spare = 8;

/** Scroll positions of the lists that were shown before, by `scrollKey`. */
const scrolled = new Map<string, number>();

/** A list of rows with equal heights. Only rows near the visible part are in the document, so that long lists stay fast. */
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
