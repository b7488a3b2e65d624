// @module-tag proof
// @module-tag no-retry
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OCTOBER, openTestEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import type { Window } from '#lib/core/window.ts';
import { findDrift } from '../reads/drift.ts';
import { findMonth, listMonths } from '../reads/months.ts';
import { listOpenItems, type RepeatedReversal } from '../reads/open-items.ts';
import { findRecipientHistory, listCompleteMonths } from '../reads/recipients.ts';
import { type Verification, verifyGame } from '../verify/verify-game.ts';

const NOVEMBER: Window = { start: '2026-11-01T00:00:00Z', end: '2026-12-01T00:00:00Z' };
/** November is over. */
const DECEMBER_NOON = '2026-12-02T12:00:00Z';
/** The reference case without receipts: 2.70 attributed to recipient 9013, half of it reversed on 1 October. */
const PERIOD = 2026100007;
const RECIPIENT = 9013;
// The tests of this file continue from one another, in this order.
let testEnv: TestEnvironment;

beforeAll(async () => {
  testEnv = await openTestEnvironment();
  await testEnv.pull(OCTOBER);
  await testEnv.control('POST', 'clock', { now: DECEMBER_NOON });
  await testEnv.pull(NOVEMBER, { now: DECEMBER_NOON });
});
afterAll(() => testEnv.close());

test('a reversal that one month reports is no repeated one', async () => {
  expect([await repeatedIn(OCTOBER), await repeatedIn(NOVEMBER), await repeatedCount(OCTOBER)]).toEqual([[], [], 0]);
});

describe('when a second refund moves it to November and October was not pulled again', () => {
  beforeAll(async () => {
    await testEnv.control('POST', 'refunds', {
      period_id: PERIOD,
      amount_usd: '12.00',
      refunded_at: '2026-11-05T10:00:00Z',
      basis: 'period_row',
    });
    await testEnv.pull(NOVEMBER, { now: DECEMBER_NOON });
  });

  test('both months count it as an open item and name the other month', async () => {
    expect(await repeatedIn(OCTOBER)).toEqual([
      {
        periodId: PERIOD,
        recipientPlayerId: RECIPIENT,
        originally_attributed_usd: '2.70',
        reversed_attributed_usd: '1.35',
        others: [{ window: NOVEMBER, reversed_attributed_usd: '2.70' }],
      },
    ]);
    expect((await repeatedIn(NOVEMBER)).map(({ others }) => others)).toEqual([[{ window: OCTOBER, reversed_attributed_usd: '1.35' }]]);
    expect([await repeatedCount(OCTOBER), await repeatedCount(NOVEMBER)]).toEqual([1, 1]);
  });

  test('sums over months say what they count twice', async () => {
    const twice = [{ window: OCTOBER, periodCount: 1, reversed_attributed_usd: '1.35' }];
    const game = await testEnv.game();
    expect((await listMonths(testEnv.db, game, [OCTOBER, NOVEMBER])).repeated).toEqual(twice);
    expect((await listCompleteMonths(testEnv.db, game)).repeated).toEqual(twice);
    expect((await findRecipientHistory(testEnv.db, game, RECIPIENT, true))?.repeated).toEqual(twice);
    expect((await findRecipientHistory(testEnv.db, game, 9001, true))?.repeated).toEqual([]);
  });

  test('verify warns with both rows, and what is stored passes', async () => {
    const { violations, warnings } = await verify();
    expect(violations).toEqual([]);
    expect(warnings).toEqual([
      {
        name: 'reversed_within_attributed',
        subject: `period ${PERIOD}`,
        expected: 'at most 2.70',
        actual: expect.stringMatching(/^1\.35 in snapshot \d+ from 2026-10-01, 2\.70 in snapshot \d+ from 2026-11-01$/),
      },
    ]);
  });

  test('a window inside a month reports the same row and repeats nothing', { tags: ['proof'] }, async () => {
    await testEnv.pull({ start: NOVEMBER.start, end: '2026-11-15T00:00:00Z' }, { now: DECEMBER_NOON });
    expect((await repeatedIn(NOVEMBER)).map(({ others }) => others.length)).toEqual([1]);
    expect((await verify()).violations).toEqual([]);
  });

  test('a changed row of what is stored about them is a violation', { tags: ['proof'] }, async () => {
    await testEnv.pool.query('update repeated_reversal set reversed_attributed_usd = 9');
    expect((await verify()).violations.map(({ name }) => name)).toContain('repeated_reversal');
    await testEnv.pool.query('delete from repeated_reversal');
    await testEnv.pool.query(
      'insert into repeated_reversal select r.* from game cross join lateral find_repeated_reversals(game_id, null) r',
    );
    expect((await verify()).violations).toEqual([]);
  });

  test('a re-check of October takes it out there, states the drift, and nothing is counted twice', async () => {
    const { snapshot } = await testEnv.pull(OCTOBER, { now: DECEMBER_NOON });
    const { gameId } = await testEnv.game();
    expect(await findDrift(testEnv.db, gameId, snapshot?.snapshotId ?? 0)).toMatchObject({
      lines_added: 0,
      lines_removed: 1,
      lines_changed: 0,
      net_change_usd: '1.35',
    });
    expect([await repeatedIn(OCTOBER), await repeatedIn(NOVEMBER), (await verify()).warnings]).toEqual([[], [], []]);
  });
});

async function repeatedIn(window: Window): Promise<RepeatedReversal[]> {
  const { gameId } = await testEnv.game();
  const { month } = await findMonth(testEnv.db, gameId, { window, before: window });
  return (await listOpenItems(testEnv.db, gameId, { snapshotId: month.snapshot?.snapshotId ?? 0, window })).repeatedReversals;
}

async function repeatedCount(window: Window): Promise<number | undefined> {
  const { month } = await findMonth(testEnv.db, (await testEnv.game()).gameId, { window, before: window });
  return month.snapshot?.repeatedReversalCount;
}

async function verify(): Promise<Verification> {
  return verifyGame(testEnv.db, (await testEnv.game()).gameId);
}
