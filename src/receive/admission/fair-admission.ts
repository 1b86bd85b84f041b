import type { Admission, ConnectionAdmission, HeaderOf, Refusal } from "../ports.ts";
import type { MemoryBudget } from "./memory-budget.ts";

/** Half-life of a sender's recent memory usage, in milliseconds. */
const HALF_LIFE_MS = 5_000;
/** A sender without a request for this time, in milliseconds, no longer counts as active. Only active senders share the memory. */
const ACTIVE_MS = 10_000;

/** A sender is never throttled while its recent usage is below this share of the memory for telemetry. */
const GREEDY_SHARE = 0.01;

/** Maximum number of tenants that are tracked separately. All further tenants are tracked as one tenant. */
const MOST_TENANTS = 1_000;

/** Returns the tenant of a request from its headers; undefined if no header names a tenant. */
export type TenantOf = (header: HeaderOf) => string | undefined;

/**
 * Returns a function that identifies the tenant of a request by the value of `header`, or of the `Authorization` header if `header` is
 * null. A gateway must set `header`; otherwise a sender could pretend to be another tenant.
 */
export function tenantBy(header: string | null): TenantOf {
  return (headerOf) => headerOf(header ?? "authorization");
}

/**
 * Grants memory for request bodies from a `MemoryBudget`, so that one sender cannot block the others. While memory above the budget's soft
 * limit is in use, `FairAdmission` throttles a tenant whose recent usage exceeds an equal share. If only one tenant is active, the shares
 * are those of connections instead of tenants.
 */
export class FairAdmission implements Admission {
  readonly #budget: MemoryBudget;
  readonly #now: () => number;
  readonly #tenantOf: TenantOf;
  readonly #connections: Shares;
  readonly #tenants: Shares;
  readonly #takenBy = new Map<string, Taken>();

  constructor(budget: MemoryBudget, now: () => number, tenantOf: TenantOf = () => undefined) {
    this.#budget = budget;
    this.#now = now;
    this.#tenantOf = tenantOf;
    const least = budget.hard * GREEDY_SHARE;
    this.#connections = new Shares(now(), least);
    this.#tenants = new Shares(now(), least);
  }

  /** Admits a body that belongs to no connection. */
  admit(bytes: number): Refusal | null {
    return this.#budget.reserve(bytes);
  }

  release(bytes: number): void {
    this.#budget.release(bytes);
  }

  open(): ConnectionAdmission {
    const connection = new Taken(this.#now());
    const release = (bytes: number): void => this.#budget.release(bytes);
    return {
      admit: (bytes) => this.#admit(bytes, connection, this.#tenant(undefined)),
      release,
      close: () => this.#connections.forget(connection),
      forRequest: (header) => {
        const tenant = this.#tenant(this.#tenantOf(header));
        return { admit: (bytes) => this.#admit(bytes, connection, tenant), release };
      },
    };
  }

  #admit(bytes: number, connection: Taken, tenant: Taken): Refusal | null {
    const now = this.#now();
    this.#connections.asked(connection, now);
    this.#tenants.asked(tenant, now);
    const [who, isGreedy] =
      this.#tenants.active > 1
        ? ["this tenant", this.#tenants.isExceeded(tenant, now)]
        : ["this connection", this.#connections.isExceeded(connection, now)];
    if (isGreedy && this.#budget.used + bytes > this.#budget.soft) {
      const message = `${who} sends more than its share while memory is short (limits.memory): send the request again later`;
      return { kind: "throttled", retryAfterS: 1, message };
    }
    const usage = isGreedy ? "greedy" : this.#connections.active > 1 ? "low" : "usual";
    const refusal = this.#budget.reserve(bytes, usage);
    if (refusal === null) {
      this.#connections.add(connection, bytes, now);
      this.#tenants.add(tenant, bytes, now);
    }
    return refusal;
  }

  #tenant(name = ""): Taken {
    const known = this.#takenBy.get(name);
    if (known !== undefined) return known;
    if (this.#takenBy.size >= MOST_TENANTS) this.#forgetIdleTenants();
    const key = this.#takenBy.size >= MOST_TENANTS ? "" : name;
    const taken = this.#takenBy.get(key) ?? new Taken(this.#now());
    this.#takenBy.set(key, taken);
    return taken;
  }

  #forgetIdleTenants(): void {
    for (const [name, taken] of this.#takenBy) if (!this.#tenants.isActive(taken)) this.#takenBy.delete(name);
  }
}

/** Tracks the recent memory usage of senders, and finds senders that use more than an equal share. */
class Shares {
  readonly #all: Taken;
  readonly #leastBytes: number;
  /** Recently active senders, ordered by their last request, oldest first. */
  readonly #active = new Map<Taken, number>();

  constructor(nowMs: number, leastBytes: number) {
    this.#all = new Taken(nowMs);
    this.#leastBytes = leastBytes;
  }

  get active(): number {
    return this.#active.size;
  }

  isActive(taken: Taken): boolean {
    return this.#active.has(taken);
  }

  asked(taken: Taken, nowMs: number): void {
    this.#active.delete(taken);
    this.#active.set(taken, nowMs);
    for (const [oldest, askedMs] of this.#active) {
      if (askedMs + ACTIVE_MS > nowMs) break;
      this.#active.delete(oldest);
    }
  }

  add(taken: Taken, bytes: number, nowMs: number): void {
    taken.add(bytes, nowMs);
    this.#all.add(bytes, nowMs);
  }

  isExceeded(taken: Taken, nowMs: number): boolean {
    const share = Math.max(this.#all.at(nowMs) / this.active, this.#leastBytes);
    return this.active > 1 && taken.at(nowMs) > share;
  }

  forget(taken: Taken): void {
    this.#active.delete(taken);
  }
}

/** A sum whose value decays exponentially. */
class Taken {
  #bytes = 0;
  #atMs: number;

  constructor(nowMs: number) {
    this.#atMs = nowMs;
  }

  at(nowMs: number): number {
    return this.#bytes * 2 ** ((this.#atMs - nowMs) / HALF_LIFE_MS);
  }

  add(bytes: number, nowMs: number): void {
    this.#bytes = this.at(nowMs) + bytes;
    this.#atMs = nowMs;
  }
}
