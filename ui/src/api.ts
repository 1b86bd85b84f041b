import { parseShown } from "./shown-json.ts";
import { type DependencyList, useEffect, useState } from "./hooks.ts";

/** An error of the API: what happened, why, and how to fix it. */
export class ApiError extends Error {
  readonly status: number;
  readonly why: string;
  readonly fix: string;

  constructor(status: number, what: string, why: string, fix: string) {
    super(what);
    this.status = status;
    this.why = why;
    this.fix = fix;
  }
}

const unreachable = new ApiError(
  0,
  "The collector does not answer.",
  "It was stopped, or the network to it is down.",
  "Start it again with `tracejury serve`; this page continues by itself.",
);

/**
 * Query parameters by name. A list is sent as several parameters with the same name; a parameter whose value is an empty text is omitted.
 */
type Parameters = Readonly<Record<string, string | readonly string[]>>;

/** Sends a GET request to the API. Rejects with `ApiError` if the request fails. */
export async function ask<T>(
  path: string,
  { parameters = {}, ...init }: RequestInit & { readonly parameters?: Parameters } = {},
): Promise<T> {
  const given = Object.entries(parameters).flatMap(([name, values]) =>
    [values].flat().map((value) => [name, value]),
  );
  const present = given.filter(([, value]) => value !== "");
  const query = present.length === 0 ? "" : `?${new URLSearchParams(present).toString()}`;
  let response: Response;
  try {
    response = await fetch(`${path}${query}`, init);
  } catch {
    throw unreachable;
  }
  if (response.ok) return parseShown(await response.text()) as T;
  throw await errorOf(response);
}

async function errorOf(response: Response): Promise<ApiError> {
  try {
    const { error } = (await response.json()) as { error: { what: string; why: string; fix: string } };
    return new ApiError(response.status, error.what, error.why, error.fix);
  } catch {
    return new ApiError(
      response.status,
      `The collector answered with HTTP status ${response.status}.`,
      "The answer contains no reason.",
      "Try again.",
    );
  }
}

export function post<T>(path: string, body: object): Promise<T> {
  return ask<T>(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

export type Loading<T> =
  | { readonly state: "loading" }
  | { readonly state: "failed"; readonly error: ApiError }
  | { readonly state: "ready"; readonly value: T };

/** Loads a value, and loads it again when one of `on` changes. Until the new value is loaded, the previous value stays. */
export function useLoaded<T>(load: () => Promise<T>, on: DependencyList): Loading<T> {
  const [loading, setLoading] = useState<Loading<T>>({ state: "loading" });
  useEffect(() => {
    let wanted = true;
    load().then(
      (value) => wanted && setLoading({ state: "ready", value }),
      (error: unknown) => {
        if (!wanted) return;
        const known =
          error instanceof ApiError ? error : new ApiError(0, String(error), "", "Load the page again.");
        setLoading({ state: "failed", error: known });
      },
    );
    return () => {
      wanted = false;
    };
  }, on);
  return loading;
}
