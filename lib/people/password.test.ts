import { expect, test } from 'vitest';
import { BusyError, checkPassword, hashPassword, limitConcurrency, verifyPassword } from './password.ts';

test('a password matches its own hash and no other', async () => {
  const hash = await hashPassword('correct horse battery');
  expect(hash).toMatch(/^argon2id\$19456\$2\$/);
  expect(hash).not.toContain('correct');
  expect(await verifyPassword(hash, 'correct horse battery')).toBe(true);
  expect(await verifyPassword(hash, 'correct horse batterz')).toBe(false);
});

test('each hash of the same password has its own salt', async () => {
  const [one, two] = await Promise.all([hashPassword('correct horse battery'), hashPassword('correct horse battery')]);
  expect(one).not.toBe(two);
});

test('a hash with other cost parameters still matches', async () => {
  // argon2id of "correct horse battery", salt of sixteen zero bytes, 8192 KiB, 3 passes, made by the reference of the runtime.
  const { argon2Sync } = await import('node:crypto');
  const digest = argon2Sync('argon2id', {
    message: 'correct horse battery',
    nonce: Buffer.alloc(16),
    memory: 8_192,
    passes: 3,
    parallelism: 1,
    tagLength: 32,
  });
  const hash = `argon2id$8192$3$${Buffer.alloc(16).toString('base64')}$${Buffer.from(digest).toString('base64')}`;
  expect(await verifyPassword(hash, 'correct horse battery')).toBe(true);
});

test.each(['', 'argon2id', 'correct horse battery', 'argon2id$19456$2$$', 'scrypt$1$2$aa$bb', 'argon2id$99999999$2$aa$bb'])(
  '%j opens for nobody',
  async (hash) => {
    expect(await verifyPassword(hash, 'correct horse battery')).toBe(false);
  },
);

test.each([
  ['eleven char', 'short_password'],
  ['twelve chars', null],
  ['🦊'.repeat(11), 'short_password'],
  ['🦊'.repeat(12), null],
  ['x'.repeat(128), null],
  ['x'.repeat(129), 'long_password'],
])('%s: %s', (password, fault) => {
  expect(checkPassword(password)).toBe(fault);
});

test('at most two tasks run at once, in order, and a failed task frees its slot', async () => {
  const takeTurn = limitConcurrency(2, 10);
  const started: number[] = [];
  let [running, runningMax] = [0, 0];
  const work = (number: number) => async (): Promise<number> => {
    started.push(number);
    runningMax = Math.max(runningMax, (running += 1));
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    if (number === 2) throw new Error('two fails');
    return number;
  };
  const ends = await Promise.allSettled([1, 2, 3, 4, 5, 6].map((number) => takeTurn(work(number))));
  expect(runningMax).toBe(2);
  expect(started).toEqual([1, 2, 3, 4, 5, 6]);
  expect(ends.map((end) => end.status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled', 'fulfilled']);
  expect(await takeTurn(() => Promise.resolve(7))).toBe(7);
});

test('when as many tasks wait as may, the next is refused at once and the others continue', async () => {
  const takeTurn = limitConcurrency(1, 2);
  const first = Promise.withResolvers<void>();
  const ends = [takeTurn(() => first.promise), takeTurn(async () => 'second'), takeTurn(async () => 'third')];
  await expect(takeTurn(async () => 'fourth')).rejects.toThrow(BusyError);
  first.resolve();
  expect(await Promise.all(ends)).toEqual([undefined, 'second', 'third']);
  expect(await takeTurn(async () => 'later')).toBe('later');
});
