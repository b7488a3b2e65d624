import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Ran, runCli } from '#e2e/support/cli/run-cli.ts';
import { openTestEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';

let env: TestEnvironment;
beforeAll(async () => {
  env = await openTestEnvironment();
});
afterAll(() => env.close());
beforeEach(async () => {
  await env.control('DELETE', 'faults');
});

const run = (...argv: string[]): Promise<Ran> => runCli(env, argv);
const player = (email: string, ...argv: string[]): Promise<Ran> => runCli(env, ['player', '--game', 'demo', ...argv], {}, email);

describe('player', () => {
  test('prints every part of a player as JSON, with the email masked and no code', async () => {
    await env.control('POST', 'shape', { loyalty: 'full_code' });
    const { code, out, err } = await player('asa.venn@players.example\n', '--json');
    expect(code, err).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      player_id: 910_023,
      player_name: 'Asa Venn',
      player_email: 'a•••@p•••.example',
      wallet: { read: 'live', balances: [{ available_balance: '5000.00', reserved_balance: '250.00', total_balance: '5250.00' }] },
      cards: { read: 'live' },
      subscriptions: { read: 'live', total_count: 0 },
      loyalty: { read: 'live', cards: [{ status: 'in_progress' }, { status: 'in_review' }, {}, {}] },
      item_purchases: { read: 'live', rows: [{ order_id: 'ITO_ASA_01' }, {}, {}, {}] },
      orders_known: { read: [], of_periods: [], named_by_webhooks: [] },
    });
    expect(out + err).not.toMatch(/asa\.venn@|CANARY/);
    await env.control('POST', 'shape', { loyalty: null });
  });

  test('shows a minus, and says in text what was read', async () => {
    const { code, out } = await player('bree.okoro@players.example');
    expect(code).toBe(0);
    expect(out).toContain('Wallet, Lumens: available -45.50, reserved 0.00, total -45.50 (live)');
  });

  test('of an address with a plus and a slash requests exactly that address from Invo', async () => {
    expect(JSON.parse((await player('fay+rook/1@players.example', '--json')).out)).toMatchObject({ player_id: 910_025 });
    expect((await env.calls()).map(({ path }) => path)).toContainEqual(
      expect.stringContaining('/by-email/fay%2Brook%2F1%40players.example'),
    );
  });

  test('that Invo doesn’t know, or without an email, prints nothing', async () => {
    expect(await player('nobody@players.example')).toMatchObject({ code: 1, out: '', err: expect.stringContaining('No such player') });
    expect(await player('')).toMatchObject({ code: 2, out: '', err: expect.stringContaining('stdin') });
  });
});

describe('order', () => {
  test('prints both books as JSON', async () => {
    const { code, out } = await run('order', '--game', 'demo', '--id', 'ORD_BREE_02', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      order_id: 'ORD_BREE_02',
      books: {
        currency: { read: 'live', order: { status: 'requires_action', amounts: { usd_amount: '9.99' }, player_id: 910_024 } },
        items: { read: 'not_found', order: null },
      },
      period: null,
      webhooks: [],
    });
    expect(out).not.toMatch(/canary|@players/);
  });

  test('of a renewal is printed with its status, and one that doesn’t exist fails', async () => {
    expect(await run('order', '--game', 'demo', '--id', 'MINT_2026100001')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Currency purchase MINT_2026100001: completed \(live, .*usd_amount 20\.00/),
    });
    expect(await run('order', '--game', 'demo', '--id', 'ORD_NONE')).toMatchObject({
      code: 1,
      err: expect.stringContaining('No such order in this game and environment.'),
    });
    await env.control('POST', 'faults', [{ kind: '503', times: 20 }]);
    expect(await run('order', '--game', 'demo', '--id', 'ORD_AWAY')).toMatchObject({
      code: 1,
      err: expect.stringContaining('Invo failed'),
    });
  });
});

describe('a command that fails', () => {
  test('says that a given ID can’t be one, and prints the reason as JSON where JSON is requested', async () => {
    const { code, out, err } = await run('order', '--game', 'demo', '--id', '../x', '--json');
    expect(code).toBe(2);
    expect(err).toContain('"../x" can\'t be the ID of an order');
    expect(JSON.parse(out)).toMatchObject({
      error: { exit_code: 2, message: expect.stringContaining("can't be the ID of an order") as string },
    });
    expect((await run('transfer', '--game', 'demo', '--id', '../x')).out).toBe('');
    expect((await run('order', '--game', 'demo')).err).toContain('Give the ID of the order with --id.');
  });

  test('prints the reason as JSON for a game or an email nobody knows', async () => {
    const stranger = await runCli(env, ['player', '--game', 'demo', '--json'], {}, 'nobody@players.example');
    expect([stranger.code, JSON.parse(stranger.out)]).toEqual([1, { error: { exit_code: 1, message: stranger.err.trim() } }]);
    const other = await run('doctor', '--json', '--nonsense');
    expect([other.code, JSON.parse(other.out)]).toMatchObject([2, { error: { exit_code: 2 } }]);
  });
});

describe('transfer', () => {
  test('prints both status fields, the amounts and the guardian as JSON', async () => {
    const { code, out } = await run('transfer', '--game', 'demo', '--id', 'TRF_IN', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      read: 'live',
      transaction_status: 'pending_claim',
      verification_state: 'approved',
      amount: '80.00',
      net_amount: '76.00',
      is_destination: true,
      to_phone: '•••• 78',
      guardian: { read: 'not_found', state: null },
    });
    expect(out).not.toContain('15112345678');
  });

  test('with an amount as a JSON number says that it is not readable', async () => {
    await env.control('POST', 'shape', { 'transfer-status': 'number_money', 'order-details': 'number_money' });
    const { out } = await run('transfer', '--game', 'demo', '--id', 'TRF_CLAIM');
    expect(out).toContain('amount not readable, net_amount 95.00');
    const json = await run('transfer', '--game', 'demo', '--id', 'TRF_CLAIM', '--json');
    expect(JSON.parse(json.out)).toMatchObject({ amount: null, unreadable: ['amount'] });
    const order = await run('order', '--game', 'demo', '--id', 'ORD_BREE_03');
    expect(order.out).toContain('currency_amount 999.00, usd_amount not readable');
    await env.control('POST', 'shape', { 'transfer-status': null, 'order-details': null });
  });

  test('with a guardian says so in text', async () => {
    const { out } = await run('transfer', '--game', 'demo', '--id', 'TRF_MINOR');
    expect(out).toContain('Awaiting approval');
    expect(out).toContain('A guardian has been asked');
  });
});
