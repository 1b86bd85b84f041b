import { computed, signal } from "@preact/signals";

/** Where the page is; everything a view shows follows from it, so that a link shows the same to somebody else. */
const address = signal(new URL(window.location.href));
export const path = computed(() => address.value.pathname);

/** Path of the view that was shown before the present one; empty at first. */
let previousPath = "";

window.addEventListener("popstate", () => show(new URL(window.location.href)));

function show(url: URL): void {
  if (url.pathname !== address.value.pathname) previousPath = address.value.pathname;
  address.value = url;
}

/** Path of the view from which the reader came; empty where this one is the first. */
export function cameFrom(): string {
  return previousPath;
}

/** Shows another address; `replace` where going back should not stop at the present one. */
function go(to: string, { replace = false } = {}): void {
  const url = new URL(to, window.location.href);
  if (replace) history.replaceState(history.state, "", url);
  else history.pushState(fromThisPage, "", url);
  const sameView = url.pathname === address.value.pathname;
  show(url);
  if (!sameView) window.scrollTo(0, 0);
}

/** Marks an entry of the history before which there is another one of this page. */
const fromThisPage = "from this page";

export function visit(to: string): void {
  go(to);
}

/** Goes back to the view before; to `otherwise` where that was another site, or none. */
export function goBack(otherwise: string): void {
  if (history.state === fromThisPage) history.back();
  else go(otherwise);
}

/** A parameter of the address; empty when it is not there. */
export function parameter(name: string): string {
  return address.value.searchParams.get(name) ?? "";
}

/** All values of a parameter that may be there several times. */
export function parameters(name: string): readonly string[] {
  return address.value.searchParams.getAll(name).filter((value) => value !== "");
}

/** Parameters to be changed; several values are several parameters, an empty one removes it. */
export type ParameterChanges = Readonly<Record<string, string | readonly string[]>>;

/** The present address with other parameters. */
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

/** Links inside the page change the view instead of loading it anew. */
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
