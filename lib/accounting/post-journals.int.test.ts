import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeMonth, confirmVoidAsShown, seedFinance, submitMonth } from '#e2e/support/payouts/close-month.ts';
import { openPulledEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { compareMoney, negateMoney, normalizeMoney, subtractMoney, sumMoney } from '#lib/core/money.ts';
import { monthWindow } from '#lib/core/month.ts';
import type { Actor, SessionActor } from '#lib/core/roles.ts';
import { Findings } from '#lib/evidence/rules/findings.ts';
import { verifyGame } from '#lib/evidence/verify/verify-game.ts';
import { approveRun, requestVoid } from '#lib/payouts/decide-run.ts';
import { findRun, type Run } from '#lib/payouts/reads/find-run.ts';
import { postCardFees } from './post-journals.ts';
import { listJournals, type StoredJournal } from './reads.ts';
import { linesOf } from './rules/journal.ts';
import { verifyJournals } from './verify-journals.ts';

let testEnv: TestEnvironment;
let fiona: SessionActor;
let ada: SessionActor;

beforeAll(async () => {
  testEnv = await openPulledEnvironment('2026-08', '2026-09');
  [fiona, ada] = [await seedFinance(testEnv, 'fiona'), await seedFinance(testEnv, 'ada')];
});
afterAll(() => testEnv.close());

const people = () => ({ preparer: fiona, approver: ada });
const journalsOf = async (month: string): Promise<StoredJournal[]> =>
  await listJournals(testEnv.db, (await testEnv.game()).gameId, monthWindow(month, 'UTC'));
const numbers = (journals: StoredJournal[]): string[] => journals.map(({ journalNo }) => journalNo);

/** Gives the snapshot of a run detail figures, as a job that read them would have. */
async function storeDetails(run: Run, card_fee: { amount_usd: string; unrecorded?: number }): Promise<void> {
  const figures = {
    version: 1,
    cardPeriods: { count: 0, read: 0 },
    unnamed: 0,
    ...Object.fromEntries(['pass_through', 'chargeback', 'held'].map((leg) => [leg, { amount_usd: '0.00', unrecorded: 0 }])),
    refunded: { count: 2, read: 2 },
    unlistedRefunds: 0,
    card_fee: { unrecorded: 0, undated: 0, ...card_fee },
    subscriptions: { count: 0, read: 0 },
    lifetime: { matching: 0, differing: 0, notComparable: 0, differences: [] },
  };
  await testEnv.pool.query(
    `insert into detail_month (game_id, window_start, window_end, snapshot_id, figures) values ($1, $2, $3, $4, $5)
     on conflict (game_id, window_start, window_end) do update set snapshot_id = excluded.snapshot_id, figures = excluded.figures`,
    [run.gameId, run.window.start, run.window.end, run.snapshotId, JSON.stringify(figures)],
  );
}

const violations = async (): Promise<string[]> => {
  const findings = new Findings();
  await verifyJournals(testEnv.db, (await testEnv.game()).gameId, findings);
  return findings.violations.map(({ subject, name }) => `${subject}: ${name}`);
};

let august: Run;

test('the approval of a run posts its accrual, which follows from the run and from its snapshot', async () => {
  const submitted = await submitMonth(testEnv, fiona, '2026-08');
  expect(await journalsOf('2026-08')).toEqual([]);
  const approved = await approveRun(await testEnv.game(), ada, submitted.runId, submitted.contentDigest ?? '');
  if (!approved.ok) throw new Error(approved.reason);
  august = approved.run;
  const [accrual, ...others] = await journalsOf('2026-08');
  expect(others).toEqual([]);
  expect(accrual).toMatchObject({
    journalNo: '202608-A',
    kind: 'accrual',
    postedOn: '2026-08-31',
    runNo: 1,
    writtenBy: expect.any(String),
  });
  const exact = Object.fromEntries((accrual?.transfers ?? []).map(({ kind, exact_usd }) => [kind, exact_usd]));
  const { rows } = await testEnv.pool.query(
    'select invo_fee_usd, partner_revenue_settled_usd, partner_revenue_reversed_usd from snapshot where snapshot_id = $1',
    [august.snapshotId],
  );
  const [snapshot] = rows;
  expect(normalizeMoney(exact['service_fee'] ?? '0')).toBe(normalizeMoney(snapshot.invo_fee_usd));
  expect(normalizeMoney(exact['revenue_settled'] ?? '0')).toBe(normalizeMoney(snapshot.partner_revenue_settled_usd));
  expect(normalizeMoney(exact['revenue_reversed'] ?? '0')).toBe(normalizeMoney(snapshot.partner_revenue_reversed_usd));
  expect(normalizeMoney(exact['shares_earned'] ?? '0')).toBe(normalizeMoney(august.totals.earned));
  // The journal owes recipients what the run pays and carries.
  const owed = sumMoney([exact['shares_earned'] ?? '0', negateMoney(exact['shares_reversed'] ?? '0')]);
  expect(normalizeMoney(owed)).toBe(normalizeMoney(sumMoney([august.totals.payable, august.totals.closing])));
  const lines = linesOf(accrual?.transfers ?? []);
  expect(sumMoney(lines.map(({ debit_usd }) => debit_usd ?? '0'))).toBe(sumMoney(lines.map(({ credit_usd }) => credit_usd ?? '0')));
  expect(await verifyGame(testEnv.db, august.gameId)).toMatchObject({ journals: 1, violations: [] });
});

test('card fees are posted once they are read whole, once, and again only as far as they changed', async () => {
  const game = await testEnv.game();
  const post = (actor: Actor) => postCardFees(game, actor, august.runId);
  expect(await post(fiona)).toEqual({ ok: false, reason: 'nothing' });
  await storeDetails(august, { amount_usd: '6.30', unrecorded: 1 });
  expect(await post(fiona)).toEqual({ ok: false, reason: 'nothing' });
  await storeDetails(august, { amount_usd: '6.305' });
  const both = await Promise.all([post(fiona), post(ada)]);
  expect(both.map(({ ok }) => ok).toSorted()).toEqual([false, true]);
  await storeDetails(august, { amount_usd: '6.325' });
  expect(await post(fiona)).toEqual({ ok: true });
  const fees = (await journalsOf('2026-08')).filter(({ kind }) => kind === 'card_fees');
  expect(numbers(fees)).toEqual(['202608-C', '202608-C2']);
  expect(fees.map(({ transfers }) => transfers.map(({ exact_usd, posted_usd }) => [exact_usd, posted_usd]))).toEqual([
    [['6.305', '6.30']],
    [['0.02', '0.02']],
  ]);
  const viewer = { ...fiona, id: (await seedFinance(testEnv, 'paul')).id };
  await testEnv.pool.query(`update person set roles = '{viewer}' where id = $1`, [viewer.id]);
  expect(await post(viewer)).toEqual({ ok: false, reason: 'not_allowed' });
  expect(await violations()).toEqual([]);
});

test('a voided run is reversed by a journal, and the next approval posts one of its own', async () => {
  const game = await testEnv.game();
  expect(await requestVoid(game, fiona, { runId: august.runId, why: 'Wrong month', isNotUploaded: true })).toMatchObject({ ok: true });
  expect(numbers(await journalsOf('2026-08'))).toEqual(['202608-A', '202608-C', '202608-C2']);
  expect(await confirmVoidAsShown(game, ada, august.runId)).toMatchObject({ ok: true, run: { state: 'void' } });
  const voided = await journalsOf('2026-08');
  expect(numbers(voided)).toEqual(['202608-A', '202608-C', '202608-C2', '202608-V']);
  expect(linesOf(voided.flatMap(({ transfers }) => transfers))).toEqual([]);
  await closeMonth(testEnv, people(), '2026-08');
  // The card fees are read whole by then.
  expect(numbers(await journalsOf('2026-08')).slice(4)).toEqual(['202608-A2', '202608-C3']);
  expect(await violations()).toEqual([]);
});

test('the next month carries what rounding left over, and each book stays within half a cent', async () => {
  await closeMonth(testEnv, people(), '2026-09');
  const all = await listJournals(testEnv.db, august.gameId, null);
  const kinds = new Set(all.flatMap(({ transfers }) => transfers.map(({ kind }) => kind)));
  for (const kind of kinds) {
    const own = all.flatMap(({ transfers }) => transfers.filter((transfer) => transfer.kind === kind));
    const off = subtractMoney(sumMoney(own.map(({ posted_usd }) => posted_usd)), sumMoney(own.map(({ exact_usd }) => exact_usd)));
    expect(compareMoney(off, '0.005')).toBeLessThanOrEqual(0);
    expect(compareMoney(off, '-0.005')).toBeGreaterThanOrEqual(0);
  }
  // Payable less receivable is what both runs owe, to the last digit.
  const exact = (account: 'recipients_payable' | 'recipients_receivable'): string =>
    sumMoney(
      all.flatMap(({ transfers }) =>
        transfers.flatMap(({ debit, credit, exact_usd }) =>
          debit === account ? [exact_usd] : credit === account ? [negateMoney(exact_usd)] : [],
        ),
      ),
    );
  const runs = await Promise.all(
    ['2026-08', '2026-09'].map((month) => findRun(testEnv.db, august.gameId, { window: monthWindow(month, 'UTC') })),
  );
  const owed = sumMoney([runs[0]?.totals.payable ?? '', runs[1]?.totals.payable ?? '', runs[1]?.totals.closing ?? '']);
  expect(normalizeMoney(subtractMoney(negateMoney(exact('recipients_payable')), exact('recipients_receivable')))).toBe(
    normalizeMoney(owed),
  );
});

test('stored journals can’t be changed, not even by the owner of the tables', async () => {
  for (const statement of [
    `update journal_transfer set posted_usd = posted_usd + 1`,
    `update journal_entry set posted_on = '2026-01-01'`,
    'delete from journal_transfer',
    'truncate journal_entry cascade',
  ])
    await expect(testEnv.pool.query(statement)).rejects.toThrow();
});

test.each([
  [
    'a posted amount',
    `update journal_transfer set posted_usd = posted_usd + 0.01 where entry_no = 1 and transfer_no = 2`,
    'journal 202608-A: journal_transfers',
  ],
  [
    'an exact amount',
    `update journal_transfer set exact_usd = exact_usd + 0.0001 where entry_no = 1 and transfer_no = 1`,
    'journal 202608-A: journal_transfers',
  ],
  [
    'an exact card fee',
    `update journal_transfer set exact_usd = exact_usd - 0.001 where entry_no = 2`,
    'journal 202608-C: journal_transfers',
  ],
  [
    'an account',
    `update journal_transfer set debit = 'revenue' where entry_no = 1 and kind = 'shares_earned'`,
    'journal 202608-A: journal_transfers',
  ],
  ['a missing transfer', `delete from journal_transfer where entry_no = 1 and transfer_no = 1`, 'journal 202608-A: journal_transfers'],
  ['a date', `update journal_entry set posted_on = '2026-09-01' where entry_no = 1`, 'journal 202608-A: journal_date'],
  [
    'a missing journal',
    `with gone as (delete from journal_transfer where entry_no = 7) delete from journal_entry where entry_no = 7`,
    'payout run 3: journals_of_run',
  ],
])('verification names %s that was tampered with', async (_, statement, expected) => {
  const client = await testEnv.pool.connect();
  const change = async (...statements: string[]): Promise<void> => {
    await client.query('begin');
    await client.query('set local session_replication_role = replica');
    for (const text of statements) await client.query(text);
    await client.query('commit');
  };
  try {
    await client.query('create temp table kept_entry as table journal_entry');
    await client.query('create temp table kept_transfer as table journal_transfer');
    await change(statement);
    expect(await violations()).toContain(expected);
  } finally {
    await change(
      'delete from journal_transfer',
      'delete from journal_entry',
      'insert into journal_entry table kept_entry',
      'insert into journal_transfer table kept_transfer',
      'drop table kept_entry, kept_transfer',
    );
    client.release();
  }
  expect(await violations()).toEqual([]);
});
