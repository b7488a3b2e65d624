import { gunzipSync } from 'node:zlib';
import type pg from 'pg';
import { inTransaction } from '#db/kit/open.ts';
import { namesEmail } from '#lib/core/typed-input.ts';
import { type Identity, NO_IDENTITY } from '#lib/evidence/rules/evidence.ts';

/** The recipients of a game who were erased. Until the client's transaction ends, nobody else is. */
export async function holdErasures(client: pg.ClientBase, gameId: number): Promise<Set<number>> {
  await client.query(`select pg_advisory_xact_lock_shared($1, hashtext('erasure'))`, [gameId]);
  const { rows } = await client.query<{ recipient_player_id: number }>(
    'select recipient_player_id from recipient_erasure where game_id = $1',
    [gameId],
  );
  return new Set(rows.map((row) => row.recipient_player_id));
}

/**
 * Recipients as they may be stored: those who were erased without what names them, whatever Invo reports. Until the client's transaction
 * ends, nobody of the game is erased.
 */
export async function withoutErased<Row extends Identity & { recipient_player_id: number }>(
  client: pg.ClientBase,
  gameId: number,
  recipients: Row[],
): Promise<Row[]> {
  const erased = await holdErasures(client, gameId);
  return erased.size === 0 ? recipients : recipients.map((row) => (erased.has(row.recipient_player_id) ? { ...row, ...NO_IDENTITY } : row));
}

export interface Erasure {
  gameId: number;
  playerId: number;
  /** Email of the person, or "command line". */
  by: string;
  reason: string;
}

/**
 * Erases what names a person: email, name and identity_id in every slice, snapshot and balance file, the salt of their digests, the newest answers
 * that may name them, bodies of webhooks that name them by ID or email, and what was rendered or drawn with their name. Figures, digests and raw
 * responses stay. False when they were erased before, null when nothing is stored of them.
 */
export async function eraseRecipient(pool: pg.Pool, { gameId, playerId, by, reason }: Erasure): Promise<boolean | null> {
  const of = [gameId, playerId];
  // Bodies are many and searched one by one, so most are before the lock, which stops what stores recipients.
  const { rows: clock } = await pool.query<{ since: string }>(`select clock_timestamp() - interval '10 minutes' as since`);
  const before = await listEmails(pool, of);
  const found = await searchBodies(pool, gameId, before, null);
  return inTransaction(pool, async (client) => {
    // Waits for what is being stored with their name; what comes later is stored without it.
    await client.query(`select pg_advisory_xact_lock($1, hashtext('erasure'))`, [gameId]);
    const known = await client.query(`select 1 where ${KNOWN.join(' or ')}`, of);
    if (known.rowCount === 0) return null;
    const erased = await client.query(
      `insert into recipient_erasure (game_id, recipient_player_id, erased_by, reason) values ($1, $2, $3, $4) on conflict do nothing`,
      [...of, by, reason],
    );
    if (erased.rowCount === 0) return false;
    const emails = await listEmails(client, of);
    const isSearched = emails.every((email) => before.includes(email));
    // A delivery that was being stored during the search was received in those minutes.
    const late = await searchBodies(client, gameId, emails, isSearched ? (clock[0]?.since ?? null) : null);
    await client.query(BODIES, [...of, emails, [...found, ...late]]);
    await client.query(TRANSFERS, [...of, emails]);
    for (const statement of BALANCES) await client.query(statement, [...of, emails]);
    for (const statement of ERASED) await client.query(statement, of);
    await client.query(`insert into audit (actor, game_id, act, subject, detail) values ($1, $2, 'erased a recipient', $3, $4)`, [
      by,
      gameId,
      `recipient ${playerId}`,
      JSON.stringify({ reason }),
    ]);
    return true;
  });
}

/** Where a person may be known from: as a recipient, and as a player of the desk. */
const KNOWN = [
  'exists (select from slice_recipient where game_id = $1 and recipient_player_id = $2)',
  ...['known_player', 'known_subscription', 'known_order'].map(
    (table) => `exists (select from ${table} where game_id = $1 and player_id = $2)`,
  ),
  `exists (select from delivery_subject where game_id = $1 and kind in ('player', 'recipient') and id_text = $2::bigint::text)`,
  'exists (select from balance_entry where game_id = $1 and player_id = $2::bigint::text)',
];

/** The emails under which a person is stored, in lower case. */
const EMAILS = `select distinct lower(email) as email from (
    select player_email as email from slice_recipient where game_id = $1 and recipient_player_id = $2
    union all select player_email from snapshot_recipient where game_id = $1 and recipient_player_id = $2
    union all select player_email from known_player where game_id = $1 and player_id = $2
    union all select email from balance_entry where game_id = $1 and player_id = $2::bigint::text
  ) as stored where email is not null`;

async function listEmails(db: Pick<pg.ClientBase, 'query'>, of: number[]): Promise<string[]> {
  return (await db.query<{ email: string }>(EMAILS, of)).rows.map(({ email }) => email);
}

/** Bodies looked through at once: 256 KiB each at most. */
const BODIES_AT_ONCE = 200;
/** Lists the deliveries received after an instant (null: all) whose body names one of these emails. A body is compressed, so the database can't search it. */
async function searchBodies(
  db: Pick<pg.ClientBase, 'query'>,
  gameId: number,
  emails: readonly string[],
  since: string | null,
): Promise<number[]> {
  const naming: number[] = [];
  for (let after = 0; emails.length > 0; ) {
    const { rows } = await db.query<{ delivery_id: number; body: Buffer }>(
      `select delivery_id, body from delivery where game_id = $1 and delivery_id > $2 and body is not null
         and ($4::timestamptz is null or received_at > $4) order by delivery_id limit $3`,
      [gameId, after, BODIES_AT_ONCE, since],
    );
    naming.push(...rows.filter(({ body }) => namesEmail(gunzipSync(body), emails)).map(({ delivery_id }) => delivery_id));
    const last = rows.at(-1);
    if (last === undefined || rows.length < BODIES_AT_ONCE) break;
    after = last.delivery_id;
  }
  return naming;
}

/** The identities under which a person is stored. */
const IDENTITIES = `select identity_id::text from slice_recipient where game_id = $1 and recipient_player_id = $2
  union select identity_id::text from snapshot_recipient where game_id = $1 and recipient_player_id = $2
  union select identity_id from known_player where game_id = $1 and player_id = $2
  union select identity_id from balance_entry where game_id = $1 and (player_id = $2::bigint::text or lower(email) = any($3))`;

// Bodies of webhooks that name them: before their identities go, by which an order or a transfer may name them.
const BODIES = `update delivery set body = null where game_id = $1 and body is not null and (delivery_id = any($4) or delivery_id in (
    select delivery_id from delivery_subject where game_id = $1 and ((kind in ('player', 'recipient') and id_text = $2::bigint::text)
      or (kind in ('identity', 'recipient') and id_text in (${IDENTITIES})))))`;

// A transfer names its receiver by identity only.
const TRANSFERS = `with received as (
    update known_transfer set to_identity_id = null where game_id = $1 and to_identity_id in (${IDENTITIES}) returning transaction_id)
  delete from detail_read where game_id = $1 and kind in ('transfer', 'approval') and subject in (select transaction_id from received)`;

/** How an entry of a balance file is changed: the line, the player ID and the balances stay, and the file says why the rest is missing. */
export const ERASED_ENTRY = `email = null, player_name = null, identity_id = null, reason = 'erased',
  asked_emails = case when asked_emails is not null then array_fill(null::text, array[cardinality(asked_emails)]) end,
  entry_key = case when entry_key like 'player %' then entry_key else 'erased ' || entry_no end`;

/** A line that a job is still to ask for is asked for no more: it ends without an answer. */
const BALANCES = [
  `with unasked as (
     update balance_entry e set ${ERASED_ENTRY}, outcome = 'unanswered' from balance_job j
     where e.game_id = $1 and e.outcome = 'asked' and lower(e.email) = any($3) and j.game_id = e.game_id and j.balance_job_id = e.balance_job_id
       and j.ended_at is null and $2::bigint is not null
     returning e.balance_job_id)
   update balance_job j set unanswered_count = j.unanswered_count + part.count
   from (select balance_job_id, count(*)::int as count from unasked group by balance_job_id) part
   where j.game_id = $1 and j.balance_job_id = part.balance_job_id`,
  `update balance_entry set ${ERASED_ENTRY} where game_id = $1 and (player_id = $2::bigint::text or lower(email) = any($3))`,
];

const ERASED = [
  ...['slice_recipient', 'snapshot_recipient'].map(
    (table) =>
      `update ${table} set player_email = null, player_name = null, identity_id = null where game_id = $1 and recipient_player_id = $2`,
  ),
  'delete from recipient_salt where game_id = $1 and recipient_player_id = $2',
  'delete from recipient_statement where game_id = $1 and recipient_player_id = $2',
  'delete from known_player where game_id = $1 and player_id = $2',
  // Under the ids of a player, of a period they are attributed, or of its subscription, with the offset of a page.
  `delete from detail_read where game_id = $1 and split_part(subject, ' ', 1) in (
     select $2::bigint::text
     union select period_id::text from renewal_line where game_id = $1 and recipient_player_id = $2
     union select subscription_id from renewal_line where game_id = $1 and recipient_player_id = $2
     union select subscription_id from known_subscription where game_id = $1 and player_id = $2)`,
  // An order names its player, and may be stored under any of its ids.
  `delete from detail_read using known_order of_player
   where detail_read.game_id = $1 and detail_read.kind in ('order', 'item_order') and of_player.game_id = $1 and of_player.player_id = $2
     and detail_read.subject in (of_player.order_id, of_player.transaction_id, of_player.payment_intent_id, of_player.purchase_reference)`,
  `delete from rendition where game_id = $1 and snapshot_id in (
     select snapshot_id from snapshot_recipient where game_id = $1 and recipient_player_id = $2)`,
];
