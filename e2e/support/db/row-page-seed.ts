import { type Insertable, sql } from 'kysely';
import { type Db, inTransaction } from '#db/kit/open.ts';
import type { RefundEventTable, RenewalLineTable, ReversalLineTable, SnapshotRecipientTable } from '#db/types.ts';
import type { SheetSnapshot } from '#lib/evidence/reads/month-snapshot.ts';

type Own = 'game_id' | 'slice_id' | 'snapshot_id';
type Given<T, Required extends keyof Insertable<T>> = Pick<Insertable<T>, Required> & Partial<Omit<Insertable<T>, Own>>;

export interface SeedSlice {
  start: string;
  end: string;
  renewals?: Given<RenewalLineTable, 'period_id' | 'recipient_player_id' | 'paid_at'>[];
  reversals?: Given<ReversalLineTable, 'period_id' | 'recipient_player_id' | 'paid_at'>[];
  events?: Given<RefundEventTable, 'period_id' | 'event_no' | 'recipient_player_id' | 'refunded_at'>[];
}

export interface SeedSnapshot {
  start: string;
  end: string;
  status?: 'complete' | 'open' | 'inconsistent';
  slices?: SeedSlice[];
  recipients?: Given<SnapshotRecipientTable, 'recipient_player_id'>[];
  /** What its facts digest is made of; without it the snapshot is of version 1 and has none. */
  facts?: string;
}

const ZERO = '0.00';
const DIGEST = sql<Buffer>`sha256(gen_random_uuid()::text::bytea)`;

/** For tests: a game to add snapshots to. */
export async function seedGame(db: Db, slug = 'starfall', timeZone = 'UTC'): Promise<number> {
  const row = { slug, environment: 'production', name: 'Starfall', time_zone: timeZone };
  return (await db.insertInto('game').values(row).returning('game_id').executeTakeFirstOrThrow()).game_id;
}

/** For tests: one snapshot with the slices, lines and recipients given; what is not given is zero or not recorded. */
export async function seedSnapshot(db: Db, gameId: number, seed: SeedSnapshot): Promise<SheetSnapshot> {
  // As a pull stores it: what follows from a snapshot is stored when the whole of it is committed.
  return await inTransaction(db, (trx) => insertSnapshot(trx, gameId, seed));
}

async function insertSnapshot(db: Db, gameId: number, seed: SeedSnapshot): Promise<SheetSnapshot> {
  const window = { window_start: seed.start, window_end: seed.end };
  const { pull_id } = await db
    .insertInto('pull')
    .values({ game_id: gameId, ...window, is_fresh: false, requested_by: 'seed', state: 'done', ended_at: seed.end })
    .returning('pull_id')
    .executeTakeFirstOrThrow();
  const last = await db
    .selectFrom('snapshot')
    .select(sql<number>`coalesce(max(chain_no), 0)::int`.as('chain_no'))
    .where('game_id', '=', gameId)
    .executeTakeFirstOrThrow();
  const { snapshot_id } = await db
    .insertInto('snapshot')
    .values({
      game_id: gameId,
      pull_id,
      ...window,
      covered_until: seed.end,
      status: seed.status ?? 'complete',
      control_window_count: 1,
      chain_no: last.chain_no + 1,
      digest: DIGEST,
      ...(seed.facts === undefined ? {} : { digest_version: 2, facts_digest: sql<Buffer>`sha256(${seed.facts}::text::bytea)` }),
      generated_at: seed.end,
      ...totals(),
      recipient_count: seed.recipients?.length ?? 0,
      renewal_line_count: 0,
      reversal_event_count: 0,
      negative_balance_count: 0,
      negative_balance_usd: ZERO,
      unresolved_recipient_count: 0,
      base_mismatch_count: 0,
      coarse_reversal_count: 0,
      open_item_count: 0,
    })
    .returning('snapshot_id')
    .executeTakeFirstOrThrow();
  for (const [index, slice] of (seed.slices ?? []).entries()) {
    const slice_id = await seedSlice(db, gameId, pull_id, slice);
    await db
      .insertInto('snapshot_slice')
      .values({ game_id: gameId, snapshot_id, slice_no: index + 1, slice_id })
      .execute();
  }
  const recipients = (seed.recipients ?? []).map((row) => ({
    game_id: gameId,
    snapshot_id,
    resolved: true,
    renewal_count: 0,
    reversal_count: 0,
    subscription_count: 0,
    gross_attributed_usd: ZERO,
    reversed_attributed_usd: ZERO,
    net_attributed_usd: ZERO,
    base_mismatch_count: 0,
    coarse_reversal_count: 0,
    earlier_reversed_usd: ZERO,
    nets_to_zero_count: 0,
    ...row,
  }));
  await inBatches(recipients, (rows) => db.insertInto('snapshot_recipient').values(rows).execute());
  const game = await db.selectFrom('game').selectAll().where('game_id', '=', gameId).executeTakeFirstOrThrow();
  return { gameId, slug: game.slug, environment: game.environment, snapshotId: snapshot_id, windowStart: seed.start, windowEnd: seed.end };
}

async function seedSlice(db: Db, gameId: number, pullId: number, slice: SeedSlice): Promise<number> {
  const before = await db
    .selectFrom('slice')
    .select('slice_id')
    .where('game_id', '=', gameId)
    .where('window_start', '=', slice.start)
    .where('window_end', '=', slice.end)
    .execute();
  const { slice_id } = await db
    .insertInto('slice')
    .values({
      game_id: gameId,
      pull_id: pullId,
      window_start: slice.start,
      window_end: slice.end,
      version: before.length + 1,
      generated_at: slice.end,
      call_count: 1,
      ...totals(),
      renewals_settled_then_fully_reversed: 0,
      recipient_count: 0,
      renewal_line_count: 0,
      reversal_line_count: 0,
      reversal_event_count: 0,
      notice_count: 1,
      is_consistent: true,
      digest: DIGEST,
    })
    .returning('slice_id')
    .executeTakeFirstOrThrow();
  const own = { game_id: gameId, slice_id };
  const renewals = (slice.renewals ?? []).map((row) => ({
    ...own,
    paid_at_reported: String(row.paid_at),
    subscription_id: `sub_${row.period_id}`,
    amount_usd: ZERO,
    invo_fee_usd: ZERO,
    partner_revenue_usd: ZERO,
    partner_revenue_settled_usd: ZERO,
    partner_revenue_reversed_usd: ZERO,
    attributed_amount_usd: ZERO,
    ...row,
  }));
  const reversals = (slice.reversals ?? []).map((row) => ({
    ...own,
    paid_at_reported: String(row.paid_at),
    subscription_id: `sub_${row.period_id}`,
    originally_attributed_usd: ZERO,
    reversed_attributed_usd: ZERO,
    reversal_basis: 'refund_receipts',
    ...row,
  }));
  const events = (slice.events ?? []).map((row) => ({
    ...own,
    refunded_at_reported: String(row.refunded_at),
    refunded_amount_usd: ZERO,
    cumulative_refunded_before_usd: ZERO,
    cumulative_refunded_after_usd: ZERO,
    reversed_attributed_usd: ZERO,
    is_full_refund: false,
    ...row,
  }));
  await inBatches(renewals, (rows) => db.insertInto('renewal_line').values(rows).execute());
  await inBatches(reversals, (rows) => db.insertInto('reversal_line').values(rows).execute());
  await inBatches(events, (rows) => db.insertInto('refund_event').values(rows).execute());
  return slice_id;
}

function totals() {
  return {
    renewals_settled: 0,
    settled_gross_usd: ZERO,
    invo_fee_usd: ZERO,
    partner_revenue_settled_usd: ZERO,
    partner_revenue_reversed_usd: ZERO,
    partner_revenue_usd: ZERO,
    renewals_with_attribution: 0,
    renewals_without_attribution: 0,
    unattributed_reasons: '{}',
    gross_attributed_usd: ZERO,
    reversed_attributed_usd: ZERO,
    net_attributed_usd: ZERO,
    refund_events_in_window: 0,
    reversals_without_receipts: 0,
  };
}

async function inBatches<Row>(rows: Row[], insert: (rows: Row[]) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < rows.length; from += 1000) await insert(rows.slice(from, from + 1000));
}
