import type { ComponentChildren } from "preact";
import type { ApiError, Loading } from "../api.ts";

/** An error as the API tells it: what, why, what to do. */
export function Problem({ error }: { error: ApiError }) {
  return (
    <div class="notice bad" role="alert">
      <strong>{error.message}</strong>
      <p>{error.why}</p>
      <p>{error.fix}</p>
    </div>
  );
}

/** What has been loaded, or how that stands. */
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

/** Where a list is empty: what would fill it. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
