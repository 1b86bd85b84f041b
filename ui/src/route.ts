import { computed, signal } from "@preact/signals";

/** The URL. Each view depends only on the URL, so that a link to it shows the same view to other people. */
const address = signal(new URL(window.location.href));
export const path = computed(() => address.value.pathname);

/** Path of the previous view; empty if there is none. */
let previousPath = "";

window.addEventListener("popstate", () => show(new URL(window.location.href)));

function show(url: URL): void {
  if (url.pathname !== address.value.pathname) previousPath = address.value.pathname;
  address.value = url;
}

/** Returns the path of the previous view; empty if the current view is the first. */
export function cameFrom(): string {
  return previousPath;
}

/** Goes to another URL. With `replace`, the new URL replaces the current one in the history, so that going back skips the current one. */
function go(to: string, { replace = false } = {}): void {
  const url = new URL(to, window.location.href);
  if (replace) history.replaceState(history.state, "", url);
  else history.pushState(fromThisPage, "", url);
  const sameView = url.pathname === address.value.pathname;
  show(url);
  if (!sameView) window.scrollTo(0, 0);
  else if (url.hash !== "") scrollToElement(url.hash.slice(1));
}

/** Scrolls to an element of the current view, and unfolds the element if it is folded. */
function scrollToElement(id: string): void {
  const element = document.getElementById(id);
  if (element instanceof HTMLDetailsElement) element.open = true;
  element?.scrollIntoView();
}

/** State of a history entry before which there is another entry of this page. */
const fromThisPage = "from this page";

export function visit(to: string): void {
  go(to);
}

/** Goes back to the previous view, or to `otherwise` if there is none on this page. */
export function goBack(otherwise: string): void {
  if (history.state === fromThisPage) history.back();
  else go(otherwise);
}

/** Returns the value of a parameter in the URL; empty if it is absent. */
export function parameter(name: string): string {
  return address.value.searchParams.get(name) ?? "";
}

/** Returns all values of a parameter in the URL. */
export function parameters(name: string): readonly string[] {
  return address.value.searchParams.getAll(name).filter((value) => value !== "");
}

/** Parameters to change. A list sets several parameters of the same name; an empty value removes the parameter. */
export type ParameterChanges = Readonly<Record<string, string | readonly string[]>>;

/** Returns the current URL with changed parameters. */
export function withParameters(changes: ParameterChanges): string {
  const url = new URL(address.value);
  for (const [name, value] of Object.entries(changes)) {
    url.searchParams.delete(name);
    for (const one of [value].flat()) if (one !== "") url.searchParams.append(name, one);
  }
  return `${url.pathname}${url.search}`;
}

export function setParameters(changes: ParameterChanges): void {
  go(withParameters(changes), { replace: true });
}

/** Makes links within the page change the view without loading the page again. */
export function followLinks(): void {
  document.addEventListener("click", (event) => {
    const held = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (held || link === null || link.origin !== window.location.origin || link.target !== "") return;
    if (link.hasAttribute("download") || link.pathname.startsWith("/api/")) return;
    event.preventDefault();
    go(link.href);
  });
}
