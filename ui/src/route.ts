import { computed, signal } from "@preact/signals";

/** Where the page is; everything a view shows follows from it, so that a link shows the same to somebody else. */
const address = signal(new URL(window.location.href));
export const path = computed(() => address.value.pathname);

window.addEventListener("popstate", () => (address.value = new URL(window.location.href)));

/** Shows another address; `replace` where going back should not stop at the present one. */
function go(to: string, { replace = false } = {}): void {
  const url = new URL(to, window.location.href);
  if (replace) history.replaceState(null, "", url);
  else history.pushState(null, "", url);
  const sameView = url.pathname === address.value.pathname;
  address.value = url;
  if (!sameView) window.scrollTo(0, 0);
}

/** A parameter of the address; empty when it is not there. */
export function parameter(name: string): string {
  return address.value.searchParams.get(name) ?? "";
}

/** The present address with other parameters; empty ones go. */
export function withParameters(changes: Readonly<Record<string, string>>): string {
  const url = new URL(address.value);
  for (const [name, value] of Object.entries(changes)) {
    if (value === "") url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  return `${url.pathname}${url.search}`;
}

export function setParameters(changes: Readonly<Record<string, string>>): void {
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
