import { expect, test } from 'vitest';
import { createShortCache } from './signed-in.ts';

interface Loaded {
  cache: ReturnType<typeof createShortCache<string>>;
  loads: string[];
  read: (key: string, value?: string | null) => Promise<string | null>;
  state: { time: number; isListening: boolean };
}

function open(life_ms = 5_000): Loaded {
  const state = { time: 0, isListening: true };
  const loads: string[] = [];
  const cache = createShortCache<string>({ isListening: () => state.isListening, lifeOf: () => life_ms, clock: () => state.time });
  const read: Loaded['read'] = (key, value = `${key} at ${state.time}`) =>
    cache.read(key, async () => {
      loads.push(key);
      return value;
    });
  return { cache, loads, read, state };
}

test('a value is kept for its life and no moment longer', async () => {
  const { read, state } = open();
  expect(await read('ann')).toBe('ann at 0');
  state.time = 4_999;
  expect(await read('ann')).toBe('ann at 0');
  state.time = 5_000;
  expect(await read('ann')).toBe('ann at 5000');
});

test('nothing is kept or handed out while changes are not heard', async () => {
  const { read, state, loads, cache } = open();
  await read('ann');
  state.isListening = false;
  expect(cache.peek('ann')).toBeNull();
  await read('ann');
  await read('ann');
  expect(loads).toHaveLength(3);
});

test('nothing found is not kept', async () => {
  const { read, loads } = open();
  expect(await read('eve', null)).toBeNull();
  expect(await read('eve')).toBe('eve at 0');
  expect(loads).toHaveLength(2);
});

test('what matches is forgotten and the rest is kept', async () => {
  const { cache, read, state } = open();
  await read('ann');
  await read('ben');
  state.time = 1;
  cache.forget((value) => value.startsWith('ann'));
  expect(await read('ann')).toBe('ann at 1');
  expect(await read('ben')).toBe('ben at 0');
});

test('a value that was being loaded when something was forgotten is not kept, and nobody else waits for it', async () => {
  const { cache } = open();
  const answer = Promise.withResolvers<string>();
  const early = cache.read('ann', () => answer.promise);
  cache.forget((value) => value === 'ben');
  const late = cache.read('ann', async () => 'new');
  answer.resolve('old');
  expect(await early).toBe('old');
  expect(await late).toBe('new');
  expect(cache.peek('ann')).toBe('new');
});

test('calls for one key at the same time share one load, and a failed load is tried again', async () => {
  const { cache, read, loads } = open();
  expect(await Promise.all([read('ann'), read('ann'), read('ann')])).toEqual(['ann at 0', 'ann at 0', 'ann at 0']);
  expect(loads).toHaveLength(1);
  await expect(cache.read('ben', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  expect(await read('ben')).toBe('ben at 0');
});
