import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SeedSlice, type SeedSnapshot, seedGame, seedSnapshot } from '#e2e/support/db/row-page-seed.ts';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import type { Window } from '#lib/core/window.ts';
import { type Drift, type DriftDetails, findDrift } from './drift.ts';
import { findMonth } from './months.ts';
import { findReconciliation } from './snapshots.ts';

let testDb: TestDb;
let gameId: number;
beforeAll(async () => {
  testDb = await createTestDb();
  gameId = await seedGame(testDb.db);
});
afterAll(() => testDb.close());

const SPAN = { start: '2026-01-01T00:00:00Z', end: '2026-02-01T00:00:00Z' };
const monthOf = (month: string, next: string): Window => ({ start: `2026-${month}-01T00:00:00Z`, end: `2026-${next}-01T00:00:00Z` });

async function seed(window: Window, nets: Record<number, string>, status: SeedSnapshot['status'] = 'complete'): Promise<number> {
  const recipients = Object.entries(nets).map(([id, net]) => ({
    recipient_player_id: Number(id),
    player_name: `P${id}`,
    net_attributed_usd: net,
  }));
  return (await seedSnapshot(testDb.db, gameId, { ...window, status, recipients })).snapshotId;
}

async function find(window: Window, snapshotId: number): Promise<Drift | null> {
  const { month } = await findMonth(testDb.db, gameId, { window, before: monthOf('01', '02') });
  expect(month.snapshot?.snapshotId).toBe(snapshotId);
  return month.drift;
}

async function detail(window: Window, snapshotId: number): Promise<DriftDetails | null> {
  return (await findReconciliation(testDb.db, gameId, { window, snapshotId, newerId: null })).changes;
}

test('the first complete snapshot of a window has no drift', async () => {
  const march = monthOf('03', '04');
  await seed(march, { 7: '9.00' }, 'open');
  expect(await find(march, await seed(march, { 7: '10.00' }))).toBeNull();
});

test('recipients whose net moved are listed by size of the change, removed and new ones included', async () => {
  const april = monthOf('04', '05');
  const before = await seed(april, { 1: '1.00', 2: '10.00', 3: '5.5000', 4: '2.00' });
  const after = await seed(april, { 1: '1.0000', 2: '9.99', 3: '-20.00', 5: '0.00' });
  expect(await find(april, after)).toMatchObject({ from: { snapshotId: before } });
  expect(await detail(april, after)).toMatchObject({
    recipientCount: 4,
    recipients: [
      { playerId: 3, name: 'P3', before: '5.5000', after: '-20.00' },
      { playerId: 4, before: '2.00', after: null },
      { playerId: 2, before: '10.00', after: '9.99' },
      { playerId: 5, before: null, after: '0.00' },
    ],
  });
});

test('drift stays reported when a later snapshot repeats it, and a snapshot that doesn’t reconcile is never compared', async () => {
  const may = monthOf('05', '06');
  const before = await seed(may, { 1: '3.00' });
  await seed(may, { 1: '4.00' });
  await seed(may, { 1: '9.00' }, 'inconsistent');
  const last = await seed(may, { 1: '4.00' });
  expect(await find(may, last)).toMatchObject({ from: { snapshotId: before } });
  expect(await detail(may, last)).toMatchObject({ recipientCount: 1 });
});

test('totals that moved alone are listed, however they are written', async () => {
  const june = monthOf('06', '07');
  await seed(june, {});
  const after = await seed(june, {});
  expect(await find(june, after)).toBeNull();
  const row = await testDb.db.selectFrom('snapshot').selectAll().where('snapshot_id', '=', after).executeTakeFirstOrThrow();
  const { snapshot_id: _, ...rest } = row;
  const moved = { ...rest, chain_no: 900, invo_fee_usd: '0.0001', settled_gross_usd: '0.0000' };
  const { snapshot_id } = await testDb.db
    .insertInto('snapshot')
    .values({ ...moved, unattributed_reasons: '{}' })
    .returning('snapshot_id')
    .executeTakeFirstOrThrow();
  expect(await find(june, snapshot_id)).toMatchObject({ lines_added: 0, lines_removed: 0, lines_changed: 0, net_change_usd: '0.00' });
  const drift = await detail(june, snapshot_id);
  expect(drift?.recipientCount).toBe(0);
  expect(drift?.figures.slice(0, 2)).toEqual([
    { name: 'settled_gross_usd', before: '0.00', after: '0.0000' },
    { name: 'invo_fee_usd', before: '0.00', after: '0.0001' },
  ]);
});

test('at most twenty recipients are named and all are counted', async () => {
  const july = monthOf('07', '08');
  const nets = (net: string): Record<number, string> => Object.fromEntries(Array.from({ length: 25 }, (_, index) => [index + 1, net]));
  await seed(july, nets('1.00'));
  const drift = await detail(july, await seed(july, nets('2.00')));
  expect([drift?.recipients.length, drift?.recipientCount]).toEqual([20, 25]);
});

test('lines that were added, removed and changed are counted and listed by effect; facts Invo may change later are none', async () => {
  const august = monthOf('08', '09');
  const settled = { paid_at: '2026-08-02T00:00:00Z', recipient_player_id: 1 };
  const unchanged = { start: '2026-08-15T00:00:00Z', end: august.end };
  const part = { start: august.start, end: unchanged.start };
  const line = (period_id: number, attributed_amount_usd: string, more = {}) => ({ period_id, ...settled, attributed_amount_usd, ...more });
  const refund = (period_id: number, reversed_attributed_usd: string) => ({
    period_id,
    event_no: 1,
    recipient_player_id: 1,
    refunded_at: '2026-08-03T00:00:00Z',
    reversed_attributed_usd,
  });
  await seedSnapshot(testDb.db, gameId, {
    ...august,
    slices: [
      {
        ...part,
        renewals: [line(1, '1.00'), line(2, '2.00'), line(3, '3.00')],
        reversals: [{ period_id: 9, ...settled }],
        events: [refund(9, '4.00')],
      },
      { ...unchanged, renewals: [line(7, '7.00')] },
    ],
  });
  const after = await seedSnapshot(testDb.db, gameId, {
    ...august,
    slices: [
      {
        ...part,
        renewals: [line(1, '1.0000', { status: 'refunded', refunded_amount_usd: '5.00' }), line(2, '2.50'), line(4, '6.00')],
        reversals: [
          { period_id: 9, ...settled },
          { period_id: 8, ...settled, reversal_basis: 'period_row', reversed_attributed_usd: '0.75' },
        ],
        events: [refund(9, '4')],
      },
      { ...unchanged, renewals: [line(7, '7.00')] },
    ],
  });
  expect(await find(august, after.snapshotId)).toMatchObject({ lines_added: 2, lines_removed: 1, lines_changed: 1 });
  expect((await detail(august, after.snapshotId))?.lines).toEqual([
    { kind: 'renewal', periodId: 4, playerId: 1, at: settled.paid_at, before: null, after: '6.00' },
    { kind: 'renewal', periodId: 3, playerId: 1, at: settled.paid_at, before: '3.00', after: null },
    { kind: 'reversal', periodId: 8, playerId: 1, at: null, before: null, after: '-0.75' },
    { kind: 'renewal', periodId: 2, playerId: 1, at: settled.paid_at, before: '2.00', after: '2.50' },
  ]);
});

describe('where both snapshots have a digest of their facts', () => {
  const MID = '15T00:00:00Z';
  const RENEWAL = { period_id: 1, recipient_player_id: 1, paid_at: '2026-01-02T00:00:00Z', attributed_amount_usd: '1.00' };
  const REVERSAL = {
    period_id: 9,
    recipient_player_id: 1,
    paid_at: RENEWAL.paid_at,
    reversal_basis: 'period_row',
    reversed_attributed_usd: '0.75',
  };
  const REFUND = { period_id: 9, event_no: 1, recipient_player_id: 1, refunded_at: '2026-01-03T00:00:00Z' };

  async function compare(year: number, before: Partial<SeedSnapshot>, after: Partial<SeedSnapshot>): Promise<Drift | null> {
    const window = { start: `${year}-01-01T00:00:00Z`, end: `${year}-02-01T00:00:00Z` };
    const whole = [{ ...window, renewals: [RENEWAL] }];
    await seedSnapshot(testDb.db, gameId, { ...window, slices: whole, facts: 'one', ...before });
    const { snapshotId } = await seedSnapshot(testDb.db, gameId, { ...window, slices: whole, facts: 'one', ...after });
    return await findDrift(testDb.db, gameId, snapshotId);
  }
  const cut = (year: number): SeedSlice[] => [
    { start: `${year}-01-01T00:00:00Z`, end: `${year}-01-${MID}`, renewals: [RENEWAL] },
    { start: `${year}-01-${MID}`, end: `${year}-02-01T00:00:00Z` },
  ];

  test('other facts of the same slices are drift, though every line and every total is the same', async () => {
    expect(await compare(2031, {}, { facts: 'other' })).toMatchObject({
      lines_added: 0,
      lines_removed: 0,
      lines_changed: 0,
      net_change_usd: '0.00',
    });
    expect(await compare(2032, { slices: cut(2032) }, { slices: cut(2032), facts: 'other' })).not.toBeNull();
  });

  test('equal facts are no drift, whatever is stored beside them', async () => {
    const slices = (year: number, events: SeedSlice['events'] = []): SeedSlice[] => [
      { start: `${year}-01-01T00:00:00Z`, end: `${year}-02-01T00:00:00Z`, reversals: [REVERSAL], events },
    ];
    // The refunds that Invo may list of a reversal without receipts are no facts of it.
    expect(await compare(2033, { slices: slices(2033) }, { slices: slices(2033, [REFUND]) })).toBeNull();
  });

  test('a window that was cut at other instants has another digest for the same facts: its lines and totals decide', async () => {
    expect(await compare(2034, {}, { slices: cut(2034), facts: 'cut' })).toBeNull();
    const [first, second] = cut(2035);
    const moved = [{ ...first, renewals: [{ ...RENEWAL, recipient_player_id: 2 }] }, second] as SeedSlice[];
    expect(await compare(2035, {}, { slices: moved, facts: 'cut' })).toMatchObject({ lines_changed: 1, net_change_usd: '0.00' });
  });

  test.each<[string, number, SeedSlice, SeedSlice, number]>([
    [
      'two lines that swapped amounts',
      2036,
      { ...SPAN, renewals: [RENEWAL, { ...RENEWAL, period_id: 2, attributed_amount_usd: '3.00' }] },
      {
        ...SPAN,
        renewals: [
          { ...RENEWAL, attributed_amount_usd: '3.00' },
          { ...RENEWAL, period_id: 2 },
        ],
      },
      2,
    ],
    [
      'another instant of settlement',
      2037,
      { ...SPAN, renewals: [RENEWAL] },
      { ...SPAN, renewals: [{ ...RENEWAL, paid_at: '2026-01-02T00:00:01Z' }] },
      1,
    ],
    [
      'another sum refunded until then',
      2038,
      {
        ...SPAN,
        reversals: [{ ...REVERSAL, reversal_basis: 'refund_receipts' }],
        events: [{ ...REFUND, cumulative_refunded_after_usd: '1.00' }],
      },
      {
        ...SPAN,
        reversals: [{ ...REVERSAL, reversal_basis: 'refund_receipts' }],
        events: [{ ...REFUND, cumulative_refunded_after_usd: '2.00' }],
      },
      1,
    ],
  ])('%s is drift and is listed, though the totals agree', async (_, year, before, after, count) => {
    const drift = await compare(year, { slices: [before] }, { slices: [after], facts: 'other' });
    expect(drift).toMatchObject({ lines_added: 0, lines_removed: 0, lines_changed: count, net_change_usd: '0.00' });
  });

  test('a snapshot of version 1 has no such digest: lines and totals decide', async () => {
    const whole = { facts: undefined } as unknown as Partial<SeedSnapshot>;
    expect(await compare(2039, whole, {})).toBeNull();
    expect(
      await compare(2040, {}, { ...whole, slices: [{ ...SPAN, renewals: [{ ...RENEWAL, attributed_amount_usd: '2.00' }] }] }),
    ).toMatchObject({ lines_changed: 1 });
  });
});
