import { gzipSync } from 'node:zlib';
import { type RawBuilder, sql } from 'kysely';
import { lockGame } from '#db/kit/lease.ts';
import { type Db, databaseInstant, inTransaction } from '#db/kit/open.ts';
import { newerValues } from '#db/kit/upsert.ts';
import type { KnownIdTable, KnownPlayerTable, KnownSubscriptionTable, ReportReadTable } from '#db/types.ts';
import { redactBytes } from '#lib/evidence/reads/names-in-bytes.ts';
import { holdErasures } from '#lib/evidence/writes/hold-erasures.ts';
import { type DetailKind, isReportKind, PLAYER_KINDS } from './reads.ts';

/** One valid answer of a detail route as received. `subject` is one of Invo's ids, with the offset where the route has pages, or a window; never an email. */
export interface DetailAnswer {
  gameId: number;
  kind: DetailKind;
  subject: string;
  contentEncoding: 'identity' | 'gzip';
  received: Buffer;
  /** Hex, over the inflated body. */
  sha256: string;
  /** When the request was sent, by `performance.now()` of this process. */
  sentAt_ms: number;
  /** Of a period report; null: another kind. */
  figures: PeriodFigures | null;
}

const FIGURES = [
  'card_charged_usd',
  'pass_through_fees_usd',
  'chargeback_fees_usd',
  'disputed_amount_held_usd',
  'card_fee_charged_to_partner_usd',
  'partner_revenue_after_fees_usd',
  'refund_count',
  'first_refunded_at',
  'last_refunded_at',
] as const;

/** The figures of a period report that a month adds up, in Invo's names. Amounts are USD; null: not recorded, never zero. */
export type PeriodFigures = Pick<ReportReadTable, (typeof FIGURES)[number]>;

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

/**
 * Stores a valid answer: a report as one more reading, without what names people who were erased; any other replaces the answer to an earlier
 * request, unless it names or is about one of them. Throws when the subject could be an email.
 */
export async function recordDetail(db: Db, answer: DetailAnswer): Promise<void> {
  if (answer.subject.includes('@')) throw new Error('a detail is stored under ids, never under an email');
  const body = answer.contentEncoding === 'gzip' ? answer.received : gzipSync(answer.received);
  const received = { ...answer, body, digest: Buffer.from(answer.sha256, 'hex'), isRedacted: false };
  await inTransaction(db, async (trx) => {
    const erased = await holdErasures(trx, answer.gameId, isReportKind(answer.kind) ? ['names', 'readings'] : ['names']);
    const playerIds = new Set(Array.from(erased, String));
    const redacted = playerIds.size === 0 ? null : await redactBytes(body, { playerIds, emails: [], identities: new Set() });
    if (isReportKind(answer.kind))
      await insertReading(
        trx,
        redacted === null ? received : { ...received, body: redacted.body, digest: redacted.sha256, isRedacted: true },
      );
    else if (redacted === null && !isAbout(answer, playerIds)) await replaceDetail(trx, received);
  });
}

type StoredAnswer = DetailAnswer & { body: Buffer; digest: Buffer; isRedacted: boolean };

/** Whether an answer is about one of these players: what is read of a player has their ID, and the offset of a page. */
function isAbout({ kind, subject }: DetailAnswer, playerIds: ReadonlySet<string>): boolean {
  return PLAYER_KINDS.has(kind) && playerIds.has(subject.split(' ', 1)[0] ?? '');
}

async function replaceDetail(db: Db, { gameId, kind, subject, body, digest, sentAt_ms }: StoredAnswer): Promise<void> {
  const values = {
    // Ages are computed by the database clock, so the same clock dates the request.
    read_at: databaseInstant(sentAt_ms),
    body,
    sha256: digest,
  };
  await db
    .insertInto('detail_read')
    .values({ game_id: gameId, kind, subject, ...values })
    .onConflict((conflict) =>
      conflict
        .columns(['game_id', 'kind', 'subject'])
        .doUpdateSet(newerValues('detail_read', { columns: ['read_at', 'body', 'sha256'] }))
        .whereRef('detail_read.read_at', '<=', 'excluded.read_at'),
    )
    .execute();
}

/** How many readings of one subject can be stored at the same moment before the last of them gives up. */
const AT_ONCE_MAX = 20;

/** Adds a reading; bytes equal to those of the reading before are not stored again. Another process may take the same number first. */
async function insertReading(tx: Db, { gameId, kind, subject, body, digest, isRedacted, figures }: StoredAnswer): Promise<void> {
  for (let tries = 1; tries <= AT_ONCE_MAX; tries += 1) {
    const { rows } = await sql`
      with newest as (
        select read_no, sha256 from report_read where game_id = ${gameId} and kind = ${kind} and subject = ${subject}
        order by read_no desc limit 1
      )
      insert into report_read as added (game_id, kind, subject, read_no, read_at, body, sha256, has_figures, is_redacted, ${sql.join(FIGURES.map((name) => sql.ref(name)))})
      select ${gameId}, ${kind}, ${subject}, coalesce((select read_no from newest), 0) + 1, clock_now(),
        case when (select sha256 from newest) = ${digest} then null else ${body}::bytea end, ${digest}, ${figures !== null}, ${isRedacted},
        ${sql.join(FIGURES.map((name) => figures?.[name] ?? null))}
      on conflict (game_id, kind, subject, read_no) do nothing returning added.read_no`.execute(tx);
    if (rows.length === 1) return;
  }
  throw new Error(`the ${kind} report of ${subject} was read by too many at once`);
}

/**
 * Waits for the readings of a game that are being stored, and returns an instant that every later one is dated after: what is stored until then
 * never changes.
 */
export async function fixReadings(db: Db, gameId: number): Promise<string> {
  return await inTransaction(db, async (tx) => {
    await lockGame(tx, gameId, ['readings'], 'exclusive');
    const { rows } = await sql<{ until: string }>`select clock_now() as until`.execute(tx);
    if (!rows[0]) throw new Error('the clock has one row');
    return rows[0].until;
  });
}

// An index entry of Postgres has 2,704 bytes, and several columns may share one.
const KEY_LENGTH_MAX = 255;

/** Whether an id is short enough to find a record by. */
export function isKeyLength(id: string): boolean {
  return id.length <= KEY_LENGTH_MAX;
}

/** An id to find a record by; null where it is too long for one. */
export function keyOrNull(id: string | null): string | null {
  return id !== null && isKeyLength(id) ? id : null;
}

/**
 * Stores ids that Invo sent and what they belong to, unless it is known from a later request. `sentAt_ms`: when the request was sent. A field missing this time
 * retains its earlier value; an id too long for an index is left out.
 */
export async function recordKnown(db: Db, gameId: number, { players, subscriptions, ids }: KnownRecords, sentAt_ms: number): Promise<void> {
  const seen = { game_id: gameId, seen_at: databaseInstant(sentAt_ms) };
  // One order everywhere, so that two pages read at the same time can't deadlock.
  const byKey = <T>(rows: T[], keyOf: (row: T) => string): T[] =>
    [...new Map(rows.map((row) => [keyOf(row), row])).entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  await upsertPlayers(
    db,
    byKey(players, ({ player_id }) => String(player_id)).map((row) => ({ ...row, ...seen })),
  );
  await upsertSubscriptions(
    db,
    byKey(subscriptions, ({ subscription_id }) => subscription_id)
      .filter(({ subscription_id }) => isKeyLength(subscription_id))
      .map((row) => ({ ...row, ...seen })),
  );
  const known = byKey(ids, ({ kind, id_text, subscription_id, period_id }) =>
    JSON.stringify([kind, id_text, subscription_id, period_id]),
  ).filter(({ id_text, subscription_id }) => isKeyLength(id_text) && isKeyLength(subscription_id));
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
      conflict
        .columns(['game_id', 'player_id'])
        .doUpdateSet(newerValues('known_player', { columns: ['player_email', 'seen_at'], retained: ['player_name', 'identity_id'] }))
        .whereRef('known_player.seen_at', '<=', 'excluded.seen_at'),
    )
    .execute();
}

async function upsertSubscriptions(db: Db, rows: Seen<KnownRow<KnownSubscriptionTable>>[]): Promise<void> {
  if (rows.length === 0) return;
  await db
    .insertInto('known_subscription')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['game_id', 'subscription_id'])
        .doUpdateSet(newerValues('known_subscription', { columns: ['seen_at'], retained: ['player_id', 'item_name', 'status'] }))
        .whereRef('known_subscription.seen_at', '<=', 'excluded.seen_at'),
    )
    .execute();
}
