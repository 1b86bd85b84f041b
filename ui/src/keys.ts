import { signal } from "@preact/signals";
import { goBack, path, visit } from "./route.ts";

/** Whether the list of keyboard shortcuts is shown. */
export const showsKeys = signal(false);

const views: Readonly<Record<string, string>> = {
  h: "/",
  r: "/runs",
  q: "/queries",
  c: "/compare",
  s: "/system",
};

/** Whether the previous key was `g`, which begins a shortcut of two keys. */
let isGoing = false;

/**
 * Makes keyboard shortcuts activate links and buttons of the page. The elements are found by attributes: rows have `data-row`, other
 * controls have their key in `data-key`, and the search field has `data-search`.
 */
export function followKeys(): void {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (isDialogOpen()) return;
    if (isTyping(event.target)) {
      if (event.key === "Escape") (event.target as HTMLElement).blur();
      return;
    }
    const going = isGoing;
    isGoing = event.key === "g" && !going;
    const to = going ? views[event.key] : undefined;
    if (to !== undefined) visit(to);
    else if (!press(event.key)) return;
    event.preventDefault();
  });
}

/** Handles a key. Returns true if the key has an effect in the current view. */
function press(key: string): boolean {
  switch (key) {
    case "j":
      return moveRow(1);
    case "k":
      return moveRow(-1);
    case "/":
      return search();
    case "?":
      showsKeys.value = true;
      return true;
    case "Escape":
      return leave();
    case "x":
      return clickMark();
    default:
      return /^[a-z[\]]$/i.test(key) && click(`[data-key="${CSS.escape(key)}"]`);
  }
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input:not([type=checkbox]), select, textarea");
}

function isDialogOpen(): boolean {
  return document.querySelector("dialog[open]") !== null;
}

function rows(): readonly HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>("main [data-row]")].filter(
    (row) => row.offsetParent !== null,
  );
}

/** Moves the focus to the next or previous row; in the view of a run, this opens the step. */
function moveRow(by: 1 | -1): boolean {
  const all = rows();
  const focused = all.indexOf(document.activeElement as HTMLElement);
  const at = focused >= 0 ? focused : all.findIndex((row) => row.getAttribute("aria-pressed") === "true");
  const next = at < 0 ? (all.find(isInView) ?? all[0]) : all[at + by];
  if (next === undefined) return false;
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: "nearest" });
  if (next.dataset["row"] === "choose") next.click();
  return true;
}

/** Whether a row is visible. Virtual lists also contain rows outside of the visible part. */
function isInView(row: HTMLElement): boolean {
  const { top, bottom } = row.getBoundingClientRect();
  const box = row.closest(".virtual")?.getBoundingClientRect() ?? { top: 0, bottom: window.innerHeight };
  return top >= box.top && bottom <= box.bottom;
}

/** Maximum number of frames to wait until a view is drawn after it was requested. */
const PATIENT_FRAMES = 60;

function search(): boolean {
  if (document.querySelector("[data-search]") === null) visit("/runs");
  focusSearch(PATIENT_FRAMES);
  return true;
}

function focusSearch(frames: number): void {
  const field = document.querySelector<HTMLElement>("[data-search]");
  if (field !== null) field.focus();
  else if (frames > 0) requestAnimationFrame(() => focusSearch(frames - 1));
}

function clickMark(): boolean {
  const mark = document.activeElement?.closest("li")?.querySelector<HTMLElement>("[data-mark]");
  mark?.click();
  return mark != null;
}

function click(selector: string): boolean {
  const control = document.querySelector<HTMLElement>(selector);
  control?.click();
  return control !== null;
}

/** In the view of a run, goes back to the list. In a list, removes the focus from the row. */
function leave(): boolean {
  if (path.value.startsWith("/runs/") || path.value === "/side-by-side") goBack("/runs");
  else if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  return true;
}
