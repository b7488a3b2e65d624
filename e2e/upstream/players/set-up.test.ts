import { expect, test } from 'vitest';
import { type Answered, type Body, openInvo, type TestInvo } from '../testing/test-client.ts';

const SET_UP = '/api/currency-purchases/setup-intent';
const MIRA = 'mira.holt@players.example';

const begin = (invo: TestInvo, more: object = {}): Promise<Answered> =>
  invo.post(SET_UP, { player_email: MIRA, setup_reference: 'ref-1', ...more });
const confirm = (invo: TestInvo, id: string): Promise<Answered> => invo.post(`${SET_UP}/confirm`, { setup_intent_id: id });
const cardsOf = async (invo: TestInvo, email = MIRA): Promise<Body[]> =>
  (await invo.ask(`/api/currency-purchases/player-cards?player_email=${email}`)).body.cards;

test('a card is saved at once, was saved before, or waits for the bank or for a card', async () => {
  const invo = await openInvo();
  const saved = (await begin(invo, { payment_method_id: 'pm_ok' })).body;
  expect(saved).toMatchObject({ status: 'succeeded', card: { last_four: '4243' }, already_saved: false });
  expect((await cardsOf(invo))[0]).toEqual(saved.card);
  const held = (await begin(invo, { setup_reference: 'ref-2', payment_method_id: 'pm_held' })).body;
  expect(held).toMatchObject({ status: 'succeeded', card: saved.card, already_saved: true });
  for (const [method, status] of [
    ['pm_3ds', 'requires_action'],
    ['pm_confirm', 'requires_confirmation'],
    [undefined, 'requires_payment_method'],
  ]) {
    const waiting = (await begin(invo, { setup_reference: `ref-${status}`, payment_method_id: method })).body;
    expect(waiting).toMatchObject({ status, card: null, client_secret: expect.any(String), client_side_key: expect.any(String) });
  }
  expect(await cardsOf(invo)).toHaveLength(3);
});

test('one reference is one set-up, and its card is saved once the bank has checked', async () => {
  const invo = await openInvo();
  const first = (await begin(invo, { payment_method_id: 'pm_3ds' })).body;
  expect((await begin(invo, { payment_method_id: 'pm_ok' })).body).toEqual(first);
  const id = first.setup_intent_id;
  expect(await confirm(invo, id)).toMatchObject({ status: 400, body: { status: 'still_requires_action' } });
  expect(await cardsOf(invo)).toHaveLength(2);
  await invo.control('POST', 'challenge', { setup_intent_id: id, outcome: 'done' });
  const saved = (await confirm(invo, id)).body;
  expect(saved).toMatchObject({ status: 'success', setup_intent_id: id, already_saved: false });
  expect((await confirm(invo, id)).body).toEqual({ ...saved, already_saved: true });
  expect(await cardsOf(invo)).toHaveLength(3);
  const counts = (await invo.control('GET', 'executed')).body.executed.map(({ kind, executions, calls }: Body) => [
    kind,
    executions,
    calls,
  ]);
  expect(counts).toEqual([
    ['setup-intent', 1, 2],
    ['setup-confirm', 1, 3],
  ]);
});

test('three set-ups wait in the game: two checked by the bank, of two players, and one that isn’t', async () => {
  const invo = await openInvo();
  expect((await confirm(invo, 'seti_asa_checked')).body.already_saved).toBe(false);
  expect((await confirm(invo, 'seti_mira_checked')).body.already_saved).toBe(false);
  expect((await confirm(invo, 'seti_asa_unchecked')).status).toBe(400);
  expect([(await cardsOf(invo, 'asa.venn@players.example')).length, (await cardsOf(invo)).length]).toEqual([2, 3]);
  const sandbox = { 'x-game-secret-key': 'upstream-sandbox-secret' };
  expect((await invo.post(`/sandbox${SET_UP}/confirm`, { setup_intent_id: 'seti_asa_checked' }, sandbox)).status).toBe(404);
});

test.each([
  [{ player_email: 'nobody@players.example' }, 404, 'PLAYER_NOT_FOUND'],
  [{ payment_method_id: 'bank_1' }, 400, 'RAW_CARD_NOT_SUPPORTED'],
  [{ setup_reference: 'a b' }, 400, 'INVALID_FIELD_VALUE'],
  [{ setup_reference: 'a'.repeat(201) }, 400, 'INVALID_FIELD_VALUE'],
  [{ setup_reference: undefined }, 400, 'INVALID_FIELD_VALUE'],
])('a set-up with %j is %i %s', async (more, status, code) => {
  const invo = await openInvo();
  const { body, ...answered } = await begin(invo, more);
  expect([answered.status, body.error_code]).toEqual([status, code]);
});

test('a foreign set-up is a 404 without a code, and the alias of its reference is accepted', async () => {
  const invo = await openInvo();
  const foreign = await confirm(invo, 'seti_elsewhere');
  expect([foreign.status, foreign.body]).toEqual([404, { error: 'No such set-up in this title.' }]);
  expect((await begin(invo, { setup_reference: undefined, client_request_id: 'ref-9' })).status).toBe(200);
});
