import { expect, it } from 'vitest';
import { sleep, waitOrAbort } from './wait.ts';

it('ends a quarter of an hour at once when told to stop, and leaves no timer behind', async () => {
  const stop = new AbortController();
  const timersBefore = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const waiting = waitOrAbort(stop.signal, () => sleep(900_000, stop.signal));
  stop.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'aborted' });
  expect(process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length).toBeLessThanOrEqual(timersBefore);
});

it('does not begin what was stopped before', async () => {
  let isBegun = false;
  const waiting = waitOrAbort(AbortSignal.abort(), async () => {
    isBegun = true;
  });
  await expect(waiting).rejects.toMatchObject({ code: 'aborted' });
  expect(isBegun).toBe(false);
});

it('stops waiting for something that does not know the signal', async () => {
  const stop = new AbortController();
  const waiting = waitOrAbort(stop.signal, () => new Promise(() => {}));
  stop.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'aborted' });
});

it('hands on a failure that is none of the signal’s', async () => {
  const failing = waitOrAbort(new AbortController().signal, () => Promise.reject(new Error('the pool is closed')));
  await expect(failing).rejects.toThrow('the pool is closed');
});
