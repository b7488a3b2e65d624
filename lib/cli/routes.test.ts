import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { COVERED_ROUTES } from '../invo/rules/covered-routes.ts';
import { main } from './main.ts';

/** Runs the command without any configuration: no database and no game. */
async function run(...argv: string[]): Promise<{ code: number; out: string }> {
  let out = '';
  const stdout = new Writable({
    write: (chunk, _, done) => {
      out += String(chunk);
      done();
    },
  });
  return { code: await main(['routes', ...argv], {}, { stdout, stderr: stdout }), out };
}

test('routes prints every route with its use, and needs no configuration', async () => {
  const { code, out } = await run();
  expect(code).toBe(0);
  expect(out.trim().split('\n')).toHaveLength(COVERED_ROUTES.length + 1);
  expect(out).toMatch(/^Write {5}POST \/api\/subscriptions\/\{subscription_id\}\/refund +Refund a period/m);
});

test('routes --json prints one object', async () => {
  const { code, out } = await run('--json');
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual({ routes: COVERED_ROUTES });
});
