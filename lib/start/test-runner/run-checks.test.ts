import { describe, expect, test } from 'vitest';
import { type Check, runChecks } from './run-checks.ts';
import { singleOutcome } from './test-report.ts';

/** Checks that end when they are told to, and what they did in order. */
function stage() {
  const log: string[] = [];
  const ends = new Map<string, (exitCode: number) => void>();
  const check = (name: string, cores: number, needs: string[] = []): Check => ({
    name,
    cores,
    needs,
    run: async (write) => {
      log.push(`${name} begins`);
      write(`line of ${name}\n`);
      const code = await new Promise<number>((resolve) => ends.set(name, resolve));
      log.push(`${name} ends`);
      return singleOutcome(code);
    },
  });
  const end = async (name: string, exitCode = 0): Promise<void> => {
    await expect.poll(() => ends.has(name)).toBe(true);
    ends.get(name)?.(exitCode);
  };
  return { log, check, end };
}

const counts = (outcomes: Awaited<ReturnType<typeof runChecks>>) =>
  outcomes.map(({ name, outcome }) => [name, outcome.passed, outcome.failed]);

describe('checks', () => {
  test('run beside each other as far as the cores go, the earlier ones first', async () => {
    const { log, check, end } = stage();
    const all = runChecks([check('wide', 2), check('a', 1), check('b', 1), check('c', 1)], { cores: 2, print: () => undefined });
    await end('wide');
    await end('b');
    await end('c');
    await end('a');
    expect(counts(await all)).toEqual([
      ['wide', 1, 0],
      ['a', 1, 0],
      ['b', 1, 0],
      ['c', 1, 0],
    ]);
    expect(log).toEqual(['wide begins', 'wide ends', 'a begins', 'b begins', 'b ends', 'c begins', 'c ends', 'a ends']);
  });

  test('wait for what they need, and fail without being run when it failed', async () => {
    const { log, check, end } = stage();
    const all = runChecks([check('pages', 1, ['build']), check('build', 1), check('other', 1)], { cores: 2, print: () => undefined });
    await end('other');
    await end('build', 1);
    expect(counts(await all)).toEqual([
      ['pages', 0, 1],
      ['build', 0, 1],
      ['other', 1, 0],
    ]);
    expect(log).not.toContain('pages begins');
  });

  test('of which some are chosen do not wait for those that are not', async () => {
    const { check, end } = stage();
    const all = runChecks([check('pages', 1, ['build'])], { cores: 2, print: () => undefined });
    await end('pages');
    expect(counts(await all)).toEqual([['pages', 1, 0]]);
  });

  test('that want more cores than there are run alone', async () => {
    const { check, end } = stage();
    const all = runChecks([check('wide', 4)], { cores: 2, print: () => undefined });
    await end('wide');
    expect(counts(await all)).toEqual([['wide', 1, 0]]);
  });

  test('that throw have failed, with what they threw', async () => {
    const broken: Check = { name: 'broken', cores: 1, run: () => Promise.reject(new Error('no such tool')) };
    const [answer] = await runChecks([broken], { cores: 2, print: () => undefined });
    expect(answer?.outcome).toMatchObject({ failed: 1, failures: ['no such tool'] });
  });

  test('print as they go when they began first, and whole at their end otherwise', async () => {
    const { check, end } = stage();
    let printed = '';
    const all = runChecks([check('a', 1), check('b', 1), check('c', 1)], { cores: 3, print: (text) => void (printed += text) });
    await expect.poll(() => printed).toContain('line of a');
    expect(printed).not.toContain('line of b');
    await end('c');
    await expect.poll(() => printed).toContain('c: 1 passed');
    expect(printed).not.toContain('line of b');
    await end('a');
    await expect.poll(() => printed).toContain('line of b');
    await end('b');
    await all;
    const block = (name: string): string => `\n── ${name}\nline of ${name}\n── ${name}: 1 passed, 0 failed (n s)\n`;
    expect(printed.replaceAll(/\d+\.\d s/g, 'n s')).toBe(block('a').replace('── a:', `${block('c')}── a:`) + block('b'));
  });
});
