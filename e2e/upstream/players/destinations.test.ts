import { expect, test } from 'vitest';
import { type Answered, type Body, openInvo, type TestInvo } from '../testing/test-client.ts';

const ASA = { email: 'asa.venn@players.example', phone: '+4915112345678' };
const look = (invo: TestInvo, body: object = ASA, headers?: Record<string, string>): Promise<Answered> =>
  invo.post('/api/players/destinations', body, headers);
const idsOf = ({ body }: Answered): string[] => body.destinations.map(({ game_id }: Body) => game_id);

test('the games of a person are listed with their coins, the most recent first', async () => {
  const invo = await openInvo();
  const { status, body } = await look(invo, { email: ' Asa.Venn@players.example', phone: '0049 151 1234-5678' });
  expect([status, body]).toMatchObject([
    200,
    { status: 'success', source_game_id: '41207', source_game_name: 'Starfall', transfer_mode: 'universal' },
  ]);
  expect(body.destinations.map(({ game_name }: Body) => game_name)).toEqual(['Starfall', 'Emberfall', 'Moonhaven']);
  expect(body.destinations[1]).toEqual({
    game_id: '41300',
    game_name: 'Emberfall',
    tenant_type: 'game',
    game_status: 'live',
    default_currency: { currency_id: 318, currency_name: 'Embers', currency_symbol: 'EMB' },
    available_balance: '5000.00',
    last_active: '2026-11-20T10:00:00.000Z',
    accepts_pcstore_origin_value: false,
  });
});

test('a linked game sees its own title and those of its list', async () => {
  const invo = await openInvo();
  await invo.control('POST', 'game', { transferMode: 'linked' });
  expect(idsOf(await look(invo))).toEqual(['41207', '41300']);
});

test('the sandbox knows its own title alone, and Emberfall reaches the others', async () => {
  const invo = await openInvo();
  const sandbox = await invo.post('/sandbox/api/players/destinations', ASA, { 'x-game-secret-key': 'upstream-sandbox-secret' });
  expect(idsOf(sandbox)).toEqual(['90417']);
  expect(idsOf(await look(invo, ASA, { 'x-game-secret-key': 'upstream-emberfall-secret' }))).toEqual(['41207', '41300', '41700']);
});

test('another number, another email or an unknown person has no destinations', async () => {
  const invo = await openInvo();
  for (const body of [
    { ...ASA, phone: '+4915112345679' },
    { ...ASA, email: 'bree.okoro@players.example' },
    { ...ASA, email: 'nobody@players.example' },
  ])
    expect(await look(invo, body)).toMatchObject({ status: 200, body: { destinations: [] } });
  await invo.control('POST', 'shape', { destinations: 'empty' });
  expect(idsOf(await look(invo))).toEqual([]);
  await invo.control('POST', 'shape', { destinations: 'without_own' });
  expect(idsOf(await look(invo))).toEqual(['41300', '41700']);
});

test.each([
  [{ email: undefined }, 'INVALID_EMAIL'],
  [{ email: 'asa.venn' }, 'INVALID_EMAIL'],
  [{ phone: undefined }, 'INVALID_PHONE'],
  [{ phone: '015112345678' }, 'INVALID_PHONE'],
])('destinations for %j are refused in words, and with %s in the shape codes', async (more, code) => {
  const invo = await openInvo();
  const plain = await look(invo, { ...ASA, ...more });
  expect([plain.status, Object.keys(plain.body)]).toEqual([400, ['error']]);
  await invo.control('POST', 'shape', { destinations: 'codes' });
  expect((await look(invo, { ...ASA, ...more })).body.error_code).toBe(code);
});

test('a game whose outgoing transfers are disabled has no destinations', async () => {
  const invo = await openInvo();
  await invo.control('POST', 'game', { outgoing: false });
  expect((await look(invo)).status).toBe(403);
});
