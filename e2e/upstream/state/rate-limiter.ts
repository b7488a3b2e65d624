const MINUTE_MS = 60_000;

export interface RateLimiter {
  /** Null when the call may pass (and is counted), else seconds until it may. */
  take(meters: { key: string; max: number }[]): number | null;
  clear(): void;
}

/** Sliding-minute meters over real time, whatever the simulated clock says; a refused call is not counted. */
export function createRateLimiter(nowMs: () => number): RateLimiter {
  let taken = new Map<string, number[]>();
  return {
    take(meters): number | null {
      const now = nowMs();
      const recent = meters.map(({ key, max }) => ({ key, max, times: (taken.get(key) ?? []).filter((time) => time > now - MINUTE_MS) }));
      const waits = recent
        .filter(({ times, max }) => times.length >= max)
        .map(({ times, max }) => (times[times.length - max] ?? now) + MINUTE_MS - now);
      if (waits.length > 0) return Math.max(1, Math.ceil(Math.max(...waits) / 1000));
      for (const { key, times } of recent) taken.set(key, [...times, now]);
      return null;
    },
    clear(): void {
      taken = new Map();
    },
  };
}
