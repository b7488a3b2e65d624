const SHORTEST_MS = 1_000;
const LONGEST_MS = 24 * 60 * 60_000;

/**
 * How long Invo asks to wait, in milliseconds: the longer of header (seconds or HTTP date) and body `retry_after` (seconds), held
 * between 1 s and a day; null when neither says anything readable.
 */
export function parseRetryAfter(header: string | null, inBody: unknown, nowMs: number): number | null {
  const waits = [fromHeader(header, nowMs), fromSeconds(inBody)].filter((wait) => wait !== null);
  return waits.length === 0 ? null : Math.min(LONGEST_MS, Math.max(SHORTEST_MS, ...waits));
}

function fromHeader(header: string | null, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  const seconds = fromSeconds(text);
  if (seconds !== null || !text.endsWith('GMT')) return seconds;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : date - nowMs;
}

function fromSeconds(value: unknown): number | null {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && /^-?\d{1,15}(\.\d+)?$/.test(text) ? Number(text) * 1000 : null;
}
