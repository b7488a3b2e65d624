import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { COVERED_ROUTES } from '../invo/rules/covered-routes.ts';
import { main } from './main.ts';

/** Runs the command without any configuration: no database and no game. */
async function run(argv: string[]): Promise<{ code: number; out: string }> {
  let out = '';
  const stdout = new Writable({
    write: (chunk, _, done) => {
      out += String(chunk);
      done();
    },
  });
  return { code: await main(argv, {}, { stdout, stderr: stdout }), out };
}

test('routes prints every route with its use, and needs no configuration', async () => {
  const { code, out } = await run(['routes']);
  expect(code).toBe(0);
  expect(out.trim().split('\n')).toHaveLength(COVERED_ROUTES.length + 1);
  expect(out).toMatch(/^Write {5}POST \/api\/subscriptions\/\{subscription_id\}\/refund +Refund a period/m);
});

test('routes --json prints one object', async () => {
  const { code, out } = await run(['routes', '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual({ routes: COVERED_ROUTES });
});

test('verify --coverage prints the columns that verify covers, and needs no configuration', async () => {
  const { code, out } = await run(['verify', '--coverage']);
  expect(code).toBe(0);
  expect(out).toMatch(/^slice +pulled_at +set by the database clock/m);
  expect(out).toMatch(/^slice_recipient +every column is covered$/m);
});

test('verify --coverage --json prints one object', async () => {
  const { code, out } = await run(['verify', '--coverage', '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    tables: expect.arrayContaining(['payout_run']),
    not_covered: { 'slice.pulled_at': expect.any(String) },
  });
});
