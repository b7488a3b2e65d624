import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Ran, runCli } from '#e2e/support/cli/run-cli.ts';
import { eventBody, type IntakeEnvironment, openIntakeEnvironment } from '#e2e/support/webhooks/intake-environment.ts';

let env: IntakeEnvironment;
beforeAll(async () => {
  env = await openIntakeEnvironment();
  const body = (order_id: string): string => eventBody('purchase.completed', { order_id, player_email: 'vera@players.example' });
  await env.deliver({ body: body('ORD_1') });
  await env.deliver({ body: body('ORD_1') });
  await env.deliver({ body: eventBody('wallet.migrated', {}) });
});
afterAll(() => env.close());

const run = (...argv: string[]): Promise<Ran> => runCli(env, ['deliveries', '--game', 'demo', ...argv]);

test('deliveries are listed newest first, without a field of a body', async () => {
  const { code, out, err } = await run();
  expect(code).toBe(0);
  expect(out.trim().split('\n')).toEqual([
    expect.stringMatching(/^\d+ {2}\S+ {2}wallet\.migrated {2}Unknown type$/),
    expect.stringMatching(/^\d+ {2}\S+ {2}purchase\.completed {2}Pending {2}Order ORD_1 {2}2 attempts$/),
  ]);
  expect(err).toContain('2 deliveries.');
  expect(out + err).not.toContain('@');
});

test('as JSON, since an instant', async () => {
  const { out } = await run('--json', '--since', '2026-01-01T00:00:00Z');
  expect(JSON.parse(out)).toMatchObject({
    deliveries: [
      { event_type: 'wallet.migrated', state: 'unknown_type', about: null, attempts: 1 },
      { event_type: 'purchase.completed', state: 'received', about: { kind: 'order', id: 'ORD_1' }, attempts: 2, secret_slot: 'current' },
    ],
    has_more: false,
  });
  expect(JSON.parse((await run('--json', '--since', '2099-01-01T00:00:00Z')).out)).toEqual({ deliveries: [], has_more: false });
});

test.each([
  [['--since', 'yesterday'], /isn't an instant/],
  [['--month', '2026-10'], /--month/],
])('%j is a usage error', async (argv, sentence) => {
  expect(await run(...argv)).toMatchObject({ code: 2, out: '', err: expect.stringMatching(sentence) });
});
