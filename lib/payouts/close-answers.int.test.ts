import { afterEach, expect, test } from 'vitest';
import { seedRefund } from '#e2e/support/db/refund-seed.ts';
import { seedFinance } from '#e2e/support/payouts/close-month.ts';
import { sampleFacts } from '#e2e/support/refunds/sample-refund.ts';
import { openPulledEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import type { Month } from '../core/month.ts';
import type { SessionActor } from '../core/roles.ts';
import type { OpenGame } from '../games/open-game.ts';
import { previewTransfer } from './adjust-balance.ts';
import { draftRun } from './draft-run.ts';
import { findClose } from './find-close.ts';
import { listAdjustments } from './reads/payout-decisions.ts';
import { recordFinding } from './submit-run.ts';

let testEnv: TestEnvironment;
let game: OpenGame;
let fiona: SessionActor;

/** Each test starts with these months pulled and re-checked. */
async function openMonths(...months: Month[]): Promise<void> {
  testEnv = await openPulledEnvironment(...months);
  game = await testEnv.game();
  fiona = await seedFinance(testEnv, 'fiona');
}
afterEach(() => testEnv.close());

async function draft(month: string) {
  const drafted = await draftRun(game, fiona, month);
  if (!drafted.ok) throw new Error(drafted.reason);
  return drafted.run;
}
async function itemsOf(month: string) {
  const found = await findClose(game, month);
  if (found.kind === 'none') throw new Error(`${month} has no close`);
  return new Map(found.close.items.map((item) => [item.key, item]));
}

test('a refund of ours without a reported reversal is held and listed whatever month its period settled in, unless it was made after the month', async () => {
  await openMonths('2026-08', '2026-09');
  const shares = async (month: string, except: number[] = []) => {
    const { rows } = await testEnv.pool.query<{ period: number; recipient: number; attributed: string }>(
      `select line.period_id as period, line.recipient_player_id as recipient, line.attributed_amount_usd::text as attributed
       from renewal_line line join snapshot_slice s using (game_id, slice_id) join current_window w using (game_id, snapshot_id)
       where w.window_start = $1 and line.attributed_amount_usd > 1 and line.base_matches_settled_fee is not false and line.period_id <> all($2)
         and line.game_id = $3 and w.game_id = $3 and not exists (select from reversal_line r where r.game_id = $3 and r.period_id = line.period_id)
       order by line.attributed_amount_usd desc, line.period_id limit 4`,
      [`${month}-01T00:00:00Z`, except, game.gameId],
    );
    return rows;
  };
  const [august, open] = await shares('2026-08');
  const [september, later] = await shares('2026-09');
  if (!august || !open || !september || !later) throw new Error('no renewals');
  const landed = (share: typeof august, instant: string) =>
    seedRefund(testEnv.db, game.gameId, {
      requested_by: fiona.id,
      period_id: share.period,
      facts: JSON.stringify(sampleFacts()),
      client_request_id: `refund-${share.period}`,
      state: 'landed',
      approval: 'policy',
      approved_digest: Buffer.alloc(32),
      content_digest: Buffer.alloc(32),
      outcome_source: 'people',
      approved_at: instant,
      ended_at: instant,
      subscription_id: `sub-${share.period}`,
    });
  await landed(august, '2026-09-20T12:00:00Z');
  await landed(september, '2026-09-20T12:00:00Z');
  await landed(later, '2026-10-01T00:00:00Z');
  await seedRefund(testEnv.db, game.gameId, { requested_by: fiona.id, period_id: open.period, subscription_id: 'sub-open' });
  const run = await draft('2026-09');
  const item = (await itemsOf('2026-09')).get('open_refunds');
  const rows = [august, open, september]
    .toSorted((one, other) => one.period - other.period)
    .map(({ period, recipient, attributed }) => ({ periodId: period, recipientId: recipient, figures: { attributed, held: attributed } }));
  expect(item).toMatchObject({ count: 3, rows });
  const { rows: held } = await testEnv.pool.query(
    `select period_id as period, amount_usd::text as attributed from payout_hold where reason_code = 'open_refund' order by period_id`,
  );
  expect(held).toEqual(rows.map(({ periodId, figures }) => ({ period: periodId, attributed: figures.held })));
  const { rows: lines } = await testEnv.pool.query(
    'select held_usd::text as held from payout_line where run_id = $1 and recipient_player_id = $2',
    [run.runId, august.recipient],
  );
  expect(Number(lines[0]?.held)).toBeGreaterThan(0);
});

test('a finding answers the renewals it was recorded for, not as many others', { tags: 'proof' }, async () => {
  await openMonths('2026-08');
  const run = await draft('2026-08');
  const reason = 'spend_order_not_found';
  const answered = async () => (await itemsOf('2026-08')).get(reason)?.isAnswered;
  const count = (await itemsOf('2026-08')).get(reason)?.count ?? 0;
  const record = async () =>
    expect(
      await recordFinding(game, fiona, run.runId, { reason, renewalCount: count, conclusion: 'nothing_owed', note: 'Traced' }),
    ).toEqual({
      ok: true,
    });
  await record();
  expect(await answered()).toBe(true);
  // Reports name a renewal later: still the ones the finding is about.
  const name = (period: number) =>
    testEnv.pool.query(
      `insert into unattributed_renewal (game_id, window_start, window_end, reason, period_id, subscription_id, settled_from, settled_to)
       values ($1, $2, $3, $4, $5, 'sub', $2, $2)`,
      [game.gameId, run.window.start, run.window.end, reason, period],
    );
  for (let named = 0; named < count; named++) await name(8_001 + named);
  expect(await answered()).toBe(true);
  // As many others in the same slices: a report names one that the finding, recorded when all were named, wasn't about.
  await record();
  await testEnv.pool.query(`alter table unattributed_finding disable trigger user; delete from unattributed_finding where finding_no = 1`);
  expect(await answered()).toBe(true);
  await name(9_001);
  expect(await answered()).toBe(false);
  await testEnv.pool.query('delete from unattributed_renewal where period_id = 9001');
  expect(await answered()).toBe(true);
  // As many others after a new pull: the slices say another amount.
  await testEnv.pool.query(`alter table slice disable trigger user`);
  await testEnv.pool.query(`update slice set settled_gross_usd = settled_gross_usd + 1 where unattributed_reasons ? $1`, [reason]);
  expect(await answered()).toBe(false);
  // One that was recorded before this was stored answers the snapshots of its day.
  await testEnv.pool.query(`update unattributed_finding set facts = null`);
  expect(await answered()).toBe(true);
  await testEnv.pool.query(`update unattributed_finding set found_at = found_at - interval '1 day'`);
  expect(await answered()).toBe(false);
});

test('a transfer says who loses and who gets the amount before it is proposed, and stores nothing', async () => {
  await openMonths('2026-08');
  const about = { kind: 'transfer', reason: 'Shared', runNo: null, periodId: null };
  const transfer = { ...about, recipientId: 9004, amount: '-2.50', toRecipientId: 9001 };
  const lost = { ok: true, from: { recipientId: 9004 }, to: { recipientId: 9001 }, amount_usd: '2.50' };
  expect(await previewTransfer(game, transfer)).toMatchObject(lost);
  expect(await previewTransfer(game, { ...transfer, amount: '2.50' })).toMatchObject({ ...lost, from: lost.to, to: lost.from });
  expect(await previewTransfer(game, { ...transfer, toRecipientId: 9004 })).toMatchObject({ field: 'toRecipientId', problem: 'missing' });
  expect(await listAdjustments(game.db, game.gameId, fiona.id, true)).toEqual([]);
});
