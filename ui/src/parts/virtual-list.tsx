import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "../hooks.ts";

interface VirtualListProps<Item> {
  readonly items: readonly Item[];
  readonly rowHeight: number;
  readonly label: string;
  readonly keyOf: (item: Item) => string;
  readonly children: (item: Item, index: number) => ComponentChildren;
  /** Called when the end comes near. */
  readonly onEnd?: () => void;
  /** The row to bring into view whenever it changes; -1: none. */
  readonly show?: number;
  /** Rows that are shown without scrolling, when there are fewer the list is lower. */
  readonly most?: number;
}

const spare = 8;

/** A list of rows of one height, of which only those near the window exist: length costs nothing. */
export function VirtualList<Item>(props: VirtualListProps<Item>) {
  const { items, rowHeight, label, keyOf, children, onEnd, show = -1, most } = props;
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 800 });
  const look = (): void => {
    const element = box.current;
    if (element !== null) setView({ top: element.scrollTop, height: element.clientHeight });
  };
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
  }, [show]);
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
      onScroll={look}
      style={height === undefined ? {} : { height }}
    >
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
