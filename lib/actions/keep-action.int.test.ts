import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ActionEnvironment, openActionEnvironment, PLAYERS } from '#e2e/support/actions/action-environment.ts';

let testEnv: ActionEnvironment;
/** A link that was sent, and one that wasn't. */
let sent: number;
let ready: number;
beforeAll(async () => {
  testEnv = await openActionEnvironment();
  const request = async (): Promise<number> => {
    const target = { kind: 'payment_link', playerId: PLAYERS.asa } as const;
    const requested = await testEnv.request(testEnv.people.sam, target, { typed: { usd_amount: '20.00' }, isAlikeConfirmed: true });
    if (!requested.ok) throw new Error(JSON.stringify(requested));
    return requested.actionId;
  };
  sent = await request();
  await testEnv.press(testEnv.people.sam, sent);
  ready = await request();
});
afterAll(() => testEnv.close());

const COPIED = `game_id, kind, repeats, player_id, facts, request_digest, content_digest, reason_code, state, requested_by, needs_second_approver, approval, approved_at,
  approved_digest, amount, unit`;

describe('the database itself refuses', () => {
  test.each<[string, string, () => unknown[], refusal: string]>([
    [
      'a second attempt of a kind that is sent once',
      'update desk_action set attempt_count = 2, first_sent_at = now(), last_sent_at = now() where action_id = $1',
      () => [ready],
      'desk_action_once',
    ],
    [
      'the row of a second attempt',
      `insert into desk_action_attempt (game_id, action_id, repeats, attempt_no, owner, request_digest)
        select game_id, action_id, repeats, 2, 'x', request_digest from desk_action where action_id = $1`,
      () => [sent],
      'desk_action_attempt_once',
    ],
    [
      'a second attempt that claims to be of another kind',
      `insert into desk_action_attempt (game_id, action_id, repeats, attempt_no, owner, request_digest)
        select game_id, action_id, 'person', 2, 'x', request_digest from desk_action where action_id = $1`,
      () => [sent],
      'desk_action_attempt_game_id_action_id_repeats_fkey',
    ],
    [
      'a kind that is sent once as one that people repeat',
      `update desk_action set repeats = 'person' where action_id = $1`,
      () => [ready],
      'never changes',
    ],
    [
      'two open actions about the same',
      `insert into desk_action (draft_id, subject, ${COPIED}) select $2::uuid, subject, ${COPIED} from desk_action where action_id = $1`,
      () => [ready, randomUUID()],
      'desk_action_open',
    ],
    [
      'two actions of one form',
      `insert into desk_action (draft_id, subject, ${COPIED}) select draft_id, 'another', ${COPIED} from desk_action where action_id = $1`,
      () => [ready],
      'desk_action_game_id_draft_id_key',
    ],
    ['another amount after the request', `update desk_action set amount = 1 where action_id = $1`, () => [ready], 'never changes'],
    [
      'another state after the end',
      `update desk_action set state = 'approved', outcome_source = null where action_id = $1`,
      () => [sent],
      'stays ended',
    ],
    ['another end after the end', `update desk_action set state = 'not_done' where action_id = $1`, () => [sent], 'stays ended'],
    ['a done action without a source', `update desk_action set state = 'done' where action_id = $1`, () => [ready], 'desk_action_outcome'],
    [
      'a refusal of what may have been executed',
      `update desk_action set state = 'refused', unanswered_count = 1 where action_id = $1`,
      () => [ready],
      'desk_action_unsent',
    ],
    [
      'an approval by its requester',
      `update desk_action set approved_by = requested_by, approval = 'person' where action_id = $1`,
      () => [ready],
      'desk_action_other_approver',
    ],
    [
      'another answer of an attempt',
      `update desk_action_attempt set class = 'refused' where action_id = $1`,
      () => [sent],
      'keeps what it says',
    ],
    ['its removal', 'delete from desk_action where action_id = $1', () => [ready], 'never removed'],
    ['the removal of an attempt', 'delete from desk_action_attempt where action_id = $1', () => [sent], 'keeps what it says'],
  ])('%s', async (_, statement, values, refusal) => {
    await expect(testEnv.pool.query(statement, values())).rejects.toThrow(refusal);
  });
});

test('one action of a player is being sent at a time, and the other says so', async () => {
  const { sam } = testEnv.people;
  await testEnv.control('POST', 'faults', { kind: 'hold', match: { method: 'POST' } });
  const first = testEnv.press(sam, ready);
  await expect.poll(testEnv.heldCount).toBe(1);
  const target = { kind: 'card_confirm', playerId: PLAYERS.asa } as const;
  const other = await testEnv.request(sam, target, { typed: { setup_intent_id: 'seti_asa_checked' } });
  expect(await testEnv.press(sam, other.ok ? other.actionId : 0)).toEqual({ ok: false, reason: 'busy' });
  await testEnv.release();
  expect(await first).toMatchObject({ ok: true, state: 'done' });
  expect(await testEnv.press(sam, other.ok ? other.actionId : 0)).toMatchObject({ ok: true, state: 'done' });
});
