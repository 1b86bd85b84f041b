import { useEffect } from "preact/hooks";

export { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
export type DependencyList = readonly unknown[];

/** Calls a function at intervals while the component is shown and the page is visible. */
export function useEvery(everyMs: number, call: () => void, on: DependencyList): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") call();
    }, everyMs);
    return () => clearInterval(timer);
  }, on);
}
