import { useEffect } from "preact/hooks";

export { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
export type DependencyList = readonly unknown[];

/** Calls now and then while the part is shown and the page can be seen. */
export function useEvery(everyMs: number, call: () => void, on: DependencyList): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") call();
    }, everyMs);
    return () => clearInterval(timer);
  }, on);
}
