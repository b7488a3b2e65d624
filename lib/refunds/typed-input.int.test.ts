import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openRefundEnvironment, type RefundEnvironment, type RefundGame } from '#e2e/support/refunds/refund-environment.ts';
import { changeLimit } from '../approvals/change-limit.ts';
import { pause } from '../approvals/pause.ts';
import { findLimits, findRequestedRaise } from '../approvals/reads.ts';
import { OUTCOME_LENGTH_MAX, WHY_LENGTH_MAX } from '../core/typed-input.ts';
import { declineRefund } from './approve-refund.ts';
import { recordOutcome } from './record-outcome.ts';

let testEnv: RefundEnvironment;
let game: RefundGame;

beforeAll(async () => {
  testEnv = await openRefundEnvironment();
});
beforeEach(async () => {
  game = await testEnv.newGame();
});
afterAll(() => testEnv.close());

async function readWhy(): Promise<string[]> {
  const { rows } = await game.pool.query<{ why: string }>(
    `select detail ->> 'why' as why from audit where game_id = $1 and detail ? 'why' order by audit_id`,
    [game.gameId],
  );
  return rows.map(({ why }) => why);
}

describe('text that is too long is refused, never cut', () => {
  test('a reason to decline', async () => {
    const refundId = await game.ask(testEnv.people.support);
    const { support } = testEnv.people;
    expect(await declineRefund(game, support, refundId, 'w'.repeat(WHY_LENGTH_MAX + 1))).toEqual({ ok: false, reason: 'why_too_long' });
    expect(await declineRefund(game, support, refundId, ` ${'w'.repeat(WHY_LENGTH_MAX)} `)).toEqual({ ok: true });
    expect(await readWhy()).toEqual(['w'.repeat(WHY_LENGTH_MAX)]);
  });

  test('a reason to pause refunds', async () => {
    const { support } = testEnv.people;
    expect(await pause(game, support, { what: 'refunds', why: 'w'.repeat(WHY_LENGTH_MAX + 1) })).toEqual({
      ok: false,
      reason: 'why_too_long',
    });
    expect(await pause(game, support, { what: 'refunds', why: 'Ask a@b.example' })).toEqual({ ok: false, reason: 'why_private' });
    expect(await pause(game, support, { what: 'refunds', why: 'a\u0000b\ud800' })).toEqual({ ok: true });
    expect(await readWhy()).toEqual(['a\ufffdb\ufffd']);
  });

  test('the text of an outcome', async () => {
    const { support } = testEnv.people;
    const refundId = await game.ask(support);
    const said = (length: number): ReturnType<typeof recordOutcome> => recordOutcome(game, support, refundId, 'landed', 's'.repeat(length));
    expect(await said(OUTCOME_LENGTH_MAX + 1)).toEqual({ ok: false, reason: 'text_too_long' });
    expect(await said(OUTCOME_LENGTH_MAX)).toEqual({ ok: false, reason: 'moved_on' });
  });
});

test.each([
  ['4,50', '4.50'],
  ['$1,234.50', '1234.50'],
  ['0', '0.00'],
  ['5000', '5000.00'],
  ['5000.01', null],
  ['12345678901', null],
  ['0.005', null],
  ['1,234', null],
  ['-1', null],
  ['none', null],
])('a limit typed as %j is %s', async (typed, limit_usd) => {
  const changed = await changeLimit(game, testEnv.people.admin, { what: 'refunds', name: 'support', typed });
  expect(changed.ok).toBe(limit_usd !== null);
  if (!changed.ok) return;
  const raise = await findRequestedRaise(game.db, 'refunds', game.gameId, 'support');
  expect(changed.isWaiting ? raise?.amount : (await findLimits(game.db, 'refunds', game.gameId)).support).toBe(limit_usd);
});
