import type { ComponentChildren } from "preact";
import type { ApiError, Loading } from "../api.ts";

/** An error of the API: what happened, why, and how to fix it. */
export function Problem({ error }: { error: ApiError }) {
  return (
    <div class="notice bad" role="alert">
      <strong>{error.message}</strong>
      <p>{error.why}</p>
      <p>{error.fix}</p>
    </div>
  );
}

/** Shows a loaded value, or the state of loading. */
export function Loaded<T>({
  from,
  children,
}: {
  from: Loading<T>;
  children: (value: T) => ComponentChildren;
}) {
  if (from.state === "failed") return <Problem error={from.error} />;
  if (from.state === "loading") return <Skeleton />;
  return <>{children(from.value)}</>;
}

export function Skeleton() {
  return (
    <div class="skeleton" role="status">
      <span class="hidden">Loading</span>
      <i />
      <i />
      <i />
    </div>
  );
}

/** Shown instead of an empty list. Explains how to get entries. If a view shows nothing else, `isWholeView` makes the title its heading. */
export function Empty(props: { title: string; isWholeView?: boolean; children?: ComponentChildren }) {
  const { title, isWholeView = false, children } = props;
  return (
    <div class="empty">
      {isWholeView ? <h1>{title}</h1> : <h2>{title}</h2>}
      {children}
    </div>
  );
}
