import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvoError } from './invo-error.ts';
import { decideRetry, parseRetryAfter, sleep, waitOrAbort } from './retry.ts';
import { INVO_ERROR_CODES } from './rules/error-codes.ts';

const base = { code: 'unreachable', isRetryable: true, retryAfterMs: null, tries: 1, triesMax: 6, jitter: 1 } as const;

describe('decideRetry', () => {
  it.each([
    ['the first wait is half a second', {}, 500],
    ['jitter takes up to half of it', { jitter: 0 }, 250],
    ['waits double', { tries: 5 }, 8_000],
    ['a 429 without a time waits a second at least', { code: 'rate_limited', jitter: 0 }, 1_000],
    ['Invo’s time is never cut short', { code: 'rate_limited', retryAfterMs: 900_000 }, 900_000],
    ['a 503 with a time waits that long', { code: 'upstream_fault', retryAfterMs: 7_000 }, 7_000],
    ['the backoff still counts when Invo requests less', { code: 'upstream_fault', retryAfterMs: 1_000, tries: 4 }, 4_000],
  ] as const)('a retry waits: %s', (_, change, waitMs) => {
    expect(decideRetry({ ...base, ...change })).toEqual({ kind: 'wait', waitMs });
  });
  it('retrying stops after the last try and when a retry can’t help', () => {
    expect(decideRetry({ ...base, tries: 6 })).toEqual({ kind: 'stop' });
    expect(decideRetry({ ...base, isRetryable: false })).toEqual({ kind: 'stop' });
  });
  it('only connection errors, timeouts, rate limits and failures on Invo’s side are retried', () => {
    const again = INVO_ERROR_CODES.filter(
      (code) => decideRetry({ ...base, code, isRetryable: new InvoError(code, '').isRetryable }).kind === 'wait',
    );
    expect(again).toEqual(['unreachable', 'timeout', 'rate_limited', 'upstream_fault']);
  });
  it('a retry never waits less than Invo requested, nor more than half a minute of its own', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.option(fc.integer({ min: 1_000, max: 86_400_000 })),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (tries, retryAfterMs, jitter) => {
          const decision = decideRetry({ ...base, tries, triesMax: 99, retryAfterMs, jitter });
          const waitMs = decision.kind === 'wait' ? decision.waitMs : -1;
          expect(waitMs).toBeGreaterThanOrEqual(retryAfterMs ?? 250);
          expect(waitMs).toBeLessThanOrEqual(Math.max(30_000, retryAfterMs ?? 0));
        },
      ),
    );
  });
});

const NOW = Date.parse('2026-03-01T00:00:00Z');

it.each([
  ['5', undefined, 5_000],
  [null, 7, 7_000],
  [null, '7', 7_000],
  ['5', 7, 7_000],
  ['9', 7, 9_000],
  ['Sun, 01 Mar 2026 00:00:20 GMT', null, 20_000],
  ['Sat, 28 Feb 2026 00:00:00 GMT', null, null],
  ['Tue, 03 Mar 2026 00:00:00 GMT', null, null],
  ['0', null, 1_000],
  ['-5', null, 1_000],
  ['3600', null, 3_600_000],
  [null, 3600, 3_600_000],
  ['Sun, 01 Mar 2026 06:00:00 GMT', null, 21_600_000],
  ['1000000000', null, null],
  ['1772323800', null, 600_000],
  ['1772323800000', null, 600_000],
  ['86400', null, 86_400_000],
  ['90000', null, null],
  ['90000', 60, 60_000],
  [null, null, null],
  ['soon', 'later', null],
  ['2026-03-01', null, null],
  ['1e9', Number.POSITIVE_INFINITY, null],
])('a Retry-After header %j and a body %j ask for a wait of %j ms', (header, inBody, waitMs) => {
  expect(parseRetryAfter(header, { retry_after: inBody }, NOW)).toBe(waitMs);
});

it.each([
  [{ retry_after: '2026-03-01T09:00:00Z', retry_after_seconds: 600 }, 600_000],
  [{ retry_after: 1_772_323_800, retry_after_seconds: 600 }, 600_000],
  [{ retry_after: 30, retry_after_seconds: 600 }, 600_000],
  [{ retry_after: '2026-03-01T00:10:00Z' }, 600_000],
  [{ retry_after: '2026-03-01T01:10:00+01:00' }, 600_000],
  [{ retry_after: 1_772_323_800 }, 600_000],
  [{ retry_after: 1_772_323_800_000 }, 600_000],
  [{ retry_after: '2026-02-28T23:59:59Z' }, null],
  [{ retry_after: '2026-03-02T00:00:01Z' }, null],
  [{ retry_after: 86_400 }, 86_400_000],
  [{ retry_after: 86_401 }, null],
  [{ retry_after_seconds: 86_401, retry_after: 30 }, 30_000],
])('a body %j requests a wait of %j ms: the countdown first, and nothing beyond a day', (body, waitMs) => {
  expect(parseRetryAfter(null, body, NOW)).toBe(waitMs);
});

it('an abort ends a long wait immediately and leaves no timer behind', async () => {
  const stop = new AbortController();
  const timersBefore = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const waiting = waitOrAbort(stop.signal, () => sleep(900_000, stop.signal));
  stop.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'aborted' });
  expect(process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length).toBeLessThanOrEqual(timersBefore);
});

it('a wait doesn’t start after an earlier abort', async () => {
  let isBegun = false;
  const waiting = waitOrAbort(AbortSignal.abort(), async () => {
    isBegun = true;
  });
  await expect(waiting).rejects.toMatchObject({ code: 'aborted' });
  expect(isBegun).toBe(false);
});

it('an abort stops waiting for a promise that ignores the signal', async () => {
  const stop = new AbortController();
  const waiting = waitOrAbort(stop.signal, () => new Promise(() => {}));
  stop.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'aborted' });
});

it('an error that isn’t caused by the signal is passed on', async () => {
  const failing = waitOrAbort(new AbortController().signal, () => Promise.reject(new Error('the pool is closed')));
  await expect(failing).rejects.toThrow('the pool is closed');
});
