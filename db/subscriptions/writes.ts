import { gzipSync } from 'node:zlib';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../kit/open.ts';
import type { KnownIdTable, KnownPlayerTable, KnownSubscriptionTable } from '../types.ts';

/** Which of Invo's detail routes answered; the SQL check of `detail_read.kind` repeats the list. */
export const DETAIL_KINDS = ['subscription', 'cycles', 'period', 'subscriptions', 'balances', 'cards'] as const;
export type DetailKind = (typeof DETAIL_KINDS)[number];

/** One valid answer of a detail route as received. `subject` is one of Invo's ids, with the offset where the route has pages; never an email. */
export interface DetailAnswer {
  gameId: number;
  kind: DetailKind;
  subject: string;
  contentEncoding: 'identity' | 'gzip';
  received: Buffer;
  /** Hex, over the inflated body. */
  sha256: string;
}

/** The ids an answer contains; later searches find them without a call to Invo. */
export interface KnownRecords {
  players: KnownRow<KnownPlayerTable>[];
  subscriptions: KnownRow<KnownSubscriptionTable>[];
  /** `period_id` 0: the id belongs to the subscription as a whole. */
  ids: (Omit<KnownRow<KnownIdTable>, 'period_id'> & { period_id: number })[];
}

type KnownRow<Table> = Omit<Table, 'game_id' | 'seen_at'>;
// With its game, and when it was seen by the database clock.
type Seen<Row> = Row & { game_id: number; seen_at: RawBuilder<string> };

/** Stores the newest valid answer about a subject in place of the one before. Throws when the subject could be an email. */
export async function recordDetail(db: Db, { gameId, kind, subject, contentEncoding, received, sha256 }: DetailAnswer): Promise<void> {
  if (subject.includes('@')) throw new Error('a detail is stored under ids, never under an email');
  const values = {
    // Ages are computed by the database clock, so the same clock dates the read.
    read_at: sql<string>`clock_timestamp()`,
    body: contentEncoding === 'gzip' ? received : gzipSync(received),
    sha256: Buffer.from(sha256, 'hex'),
  };
  await db
    .insertInto('detail_read')
    .values({ game_id: gameId, kind, subject, ...values })
    .onConflict((conflict) => conflict.columns(['game_id', 'kind', 'subject']).doUpdateSet(values))
    .execute();
}

/** Stores ids that Invo sent and what they belong to. A field missing this time keeps its earlier value. */
export async function recordKnown(db: Db, gameId: number, { players, subscriptions, ids }: KnownRecords): Promise<void> {
  const seen = { game_id: gameId, seen_at: sql<string>`clock_timestamp()` };
  // One order everywhere, so that two pages read at the same time can't deadlock.
  const byKey = <T>(rows: T[], keyOf: (row: T) => string): T[] =>
    [...new Map(rows.map((row) => [keyOf(row), row])).entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  await upsertPlayers(
    db,
    byKey(players, ({ player_id }) => String(player_id)).map((row) => ({ ...row, ...seen })),
  );
  await upsertSubscriptions(
    db,
    byKey(subscriptions, ({ subscription_id }) => subscription_id).map((row) => ({ ...row, ...seen })),
  );
  const known = byKey(ids, ({ kind, id_text, subscription_id, period_id }) => JSON.stringify([kind, id_text, subscription_id, period_id]));
  if (known.length === 0) return;
  await db
    .insertInto('known_id')
    .values(known.map((row) => ({ ...row, ...seen })))
    .onConflict((conflict) => conflict.columns(['game_id', 'kind', 'id_text', 'subscription_id', 'period_id']).doNothing())
    .execute();
}

async function upsertPlayers(db: Db, rows: Seen<KnownRow<KnownPlayerTable>>[]): Promise<void> {
  if (rows.length === 0) return;
  await db
    .insertInto('known_player')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['game_id', 'player_id']).doUpdateSet((excluded) => ({
        player_email: excluded.ref('excluded.player_email'),
        player_name: sql`coalesce(excluded.player_name, known_player.player_name)`,
        identity_id: sql`coalesce(excluded.identity_id, known_player.identity_id)`,
        seen_at: excluded.ref('excluded.seen_at'),
      })),
    )
    .execute();
}

async function upsertSubscriptions(db: Db, rows: Seen<KnownRow<KnownSubscriptionTable>>[]): Promise<void> {
  if (rows.length === 0) return;
  await db
    .insertInto('known_subscription')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['game_id', 'subscription_id']).doUpdateSet((excluded) => ({
        player_id: sql`coalesce(excluded.player_id, known_subscription.player_id)`,
        item_name: sql`coalesce(excluded.item_name, known_subscription.item_name)`,
        status: sql`coalesce(excluded.status, known_subscription.status)`,
        seen_at: excluded.ref('excluded.seen_at'),
      })),
    )
    .execute();
}
