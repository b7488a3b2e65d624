import { expect, test } from 'vitest';
import { type Answered, type Body, openInvo, type TestInvo } from '../testing/test-client.ts';

const SESSIONS = '/api/checkout/sessions';
const ASA = 'asa.venn@players.example';

const coinsOf = async (invo: TestInvo, email = ASA): Promise<string> =>
  (await invo.control('GET', `wallet?player_email=${email}`)).body.coins;

async function mint(invo: TestInvo, more: object = {}): Promise<Answered> {
  return invo.post(SESSIONS, { player_email: ASA, usd_amount: '20.00', metadata: { ticket: 'T-1' }, ...more });
}

const press = (link: string, act: string): Promise<Response> =>
  fetch(new URL('/checkout', link), {
    method: 'POST',
    body: new URLSearchParams({ token: new URL(link).searchParams.get('token') ?? '', act }),
  });

test('a link is opened once and paid once, and the order carries its metadata', async () => {
  const invo = await openInvo();
  await invo.control('POST', 'webhooks', { url: 'http://127.0.0.1:9/' });
  const { status, body } = await mint(invo);
  expect([status, body]).toEqual([
    201,
    {
      session_id: 'cs_41207_000001',
      checkout_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/checkout\?token=cst_/),
      expires_at: '2026-11-21T12:15:00.000Z',
      expires_in_seconds: 900,
    },
  ]);
  const page = await fetch(body.checkout_url);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('20.00 USD for asa.venn@players.example')]);
  expect((await fetch(body.checkout_url)).status).toBe(409);
  expect(await coinsOf(invo)).toBe('5000.00');
  expect(await (await press(body.checkout_url, 'pay')).text()).toContain('Paid.');
  expect(await (await press(body.checkout_url, 'pay')).text()).toContain('SESSION_ALREADY_CONSUMED');
  expect(await coinsOf(invo)).toBe('7000.00');
  const [{ event_type: type }] = (await invo.control('GET', 'deliveries')).body.deliveries;
  expect(type).toBe('purchase.completed');
  const { secrets } = (await invo.control('GET', 'secrets')).body;
  expect(secrets.map(({ value }: Body) => value)).toContain(body.checkout_url);
  expect((await invo.control('GET', 'calls')).text).not.toContain('cst_');
});

test.each([
  ['pay', 'paid', 'completed', '7000.00'],
  ['fail', 'failed', 'failed', '5000.00'],
  ['cancel', 'cancelled', 'cancelled', '5000.00'],
])('control can %s a link: the session is %s, the order %s', async (outcome, state, orderStatus, coins) => {
  const invo = await openInvo();
  const { session_id } = (await mint(invo)).body;
  const { body } = await invo.control('POST', 'checkout', { session_id, outcome });
  expect(body).toMatchObject({ session_id, state, order_status: orderStatus });
  const { order } = (await invo.ask(`/api/currency-purchases/order-details?order_id=${body.order_id}`)).body;
  expect(order).toMatchObject({ order_status: orderStatus, usd_amount: '20.00', currency_amount: '2000.00', metadata: { ticket: 'T-1' } });
  expect(await coinsOf(invo)).toBe(coins);
  expect((await invo.control('POST', 'checkout', { session_id, outcome })).status).toBe(409);
});

test('a link is dead after fifteen minutes', async () => {
  const invo = await openInvo();
  const { session_id, checkout_url } = (await mint(invo)).body;
  await invo.control('POST', 'clock', { now: '2026-11-21T12:15:00Z' });
  expect((await fetch(checkout_url)).status).toBe(409);
  expect((await invo.control('POST', 'checkout', { session_id, outcome: 'pay' })).status).toBe(409);
});

test.each([
  [{ usd_amount: '0.00' }, 400],
  [{ usd_amount: '999.99' }, 201],
  [{ usd_amount: '1000.00' }, 400],
  [{ usd_amount: '1.001' }, 400],
  [{ usd_amount: 20 }, 400],
  [{ usd_amount: '-1.00' }, 400],
  [{ player_email: undefined }, 400],
  [{ rail: 'game' }, 201],
  [{ rail: 'pigeon' }, 400],
  [{ rail: 'pcstore' }, 403],
  [{ metadata: [] }, 400],
  [{ success_url: 1 }, 400],
])('a link with %j is %i', async (more, status) => {
  const invo = await openInvo();
  expect((await mint(invo, more)).status).toBe(status);
});

test('each call makes a session, also with equal bytes, and refusals carry a code only in the shape codes', async () => {
  const invo = await openInvo();
  await mint(invo);
  await mint(invo);
  expect((await invo.control('GET', 'executed?kind=checkout')).body.executed).toMatchObject([{ executions: 2, calls: 2 }]);
  expect((await mint(invo, { usd_amount: '0.00' })).body).not.toHaveProperty('error_code');
  await invo.control('POST', 'shape', { checkout: 'codes' });
  expect((await mint(invo, { usd_amount: '0.00' })).body.error_code).toBe('USD_AMOUNT_OUT_OF_RANGE');
});

test('a player over the spending cap is declined on the page, or refused a link', async () => {
  const invo = await openInvo();
  const gus = { player_email: 'gus.hale@players.example' };
  const { session_id } = (await mint(invo, gus)).body;
  expect((await invo.control('POST', 'checkout', { session_id, outcome: 'pay' })).body.order_status).toBe('failed');
  await invo.control('POST', 'shape', { checkout: 'cap_429' });
  expect(await mint(invo, gus)).toMatchObject({ status: 429, body: { error: 'spending_limit_exceeded', message: expect.any(String) } });
  expect((await mint(invo)).status).toBe(201);
});

test('a payment creates a player whom the game doesn’t know', async () => {
  const invo = await openInvo();
  const email = 'new.person@players.example';
  const { session_id } = (await mint(invo, { player_email: email })).body;
  const wallet = `/api/player-balances/player/by-email/${email}`;
  expect((await invo.ask(wallet)).status).toBe(404);
  await invo.control('POST', 'checkout', { session_id, outcome: 'pay' });
  expect((await invo.ask(wallet)).body).toMatchObject({ player: { player_id: 930_001 }, balances: [{ total_balance: '2000.00' }] });
});

test('a link without its address is a fault, and the session was made', async () => {
  const invo = await openInvo();
  await invo.control('POST', 'faults', [{ kind: 'link_without_url' }]);
  const { status, body } = await mint(invo);
  expect([status, Object.keys(body)]).toEqual([201, ['session_id', 'expires_at', 'expires_in_seconds']]);
});
