import { gunzipSync } from 'node:zlib';
import type pg from 'pg';
import { inClientTransaction } from '#db/kit/client.ts';
import { namesEmail } from '#lib/core/typed-input.ts';
import { type Identity, NO_IDENTITY } from '#lib/evidence/rules/evidence.ts';
import type { ErasedPeople } from '#lib/evidence/rules/leave-out-people.ts';
import { type RedactedBytes, redactBytes } from '../redact-bytes.ts';

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
 * Erases what names a person: email, name and identity_id in every slice, snapshot, balance file, reading of a detail report and refused response, the salt of
 * their digests, the newest answers that may name them, bodies of webhooks that name them by ID or email, and what was rendered or drawn with their name.
 * Figures and digests stay, and so do raw responses that the chain binds. False when they were erased before: what came since by another way goes all
 * the same. Null when nothing is stored of them.
 */
export async function eraseRecipient(pool: pg.Pool, { gameId, playerId, by, reason }: Erasure): Promise<boolean | null> {
  const of = [gameId, playerId];
  // Bodies are many and searched one by one, so most are before the lock, which stops what stores recipients.
  const { rows: clock } = await pool.query<{ since: string }>(`select clock_now() - interval '10 minutes' as since`);
  const before = await findNamed(pool, of);
  const found = await searchAll(pool, gameId, before, null);
  return inClientTransaction(pool, async (client) => {
    // Waits for what is being stored with their name; what comes later is stored without it.
    await client.query(`select pg_advisory_xact_lock($1, hashtext('erasure'))`, [gameId]);
    const known = await client.query(`select 1 where ${KNOWN.join(' or ')}`, of);
    if (known.rowCount === 0) return null;
    const erased = await client.query(
      `insert into recipient_erasure (game_id, recipient_player_id, erased_by, reason) values ($1, $2, $3, $4) on conflict do nothing`,
      [...of, by, reason],
    );
    const named = await findNamed(client, of);
    const isSearched =
      named.emails.every((email) => before.emails.includes(email)) && [...named.identities].every((id) => before.identities.has(id));
    // What was being stored during the search was received in those minutes.
    const late = await searchAll(client, gameId, named, isSearched ? (clock[0]?.since ?? null) : null);
    await client.query(BODIES, [...of, named.emails, [...found.deliveries, ...late.deliveries]]);
    await redact(client, gameId, named, [...found.readings, ...late.readings], [...found.refused, ...late.refused]);
    for (const { kind, subject } of [...found.answers, ...late.answers])
      await client.query('delete from detail_read where game_id = $1 and kind = $2 and subject = $3', [gameId, kind, subject]);
    await client.query(TRANSFERS, [...of, named.emails]);
    for (const statement of BALANCES) await client.query(statement, [...of, named.emails]);
    for (const statement of ERASED) await client.query(statement, of);
    if (erased.rowCount === 0) return false;
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

type Querier = Pick<pg.ClientBase, 'query'>;

/** By what a person is named: their ID, and the emails and identities under which they are stored. */
export async function findNamed(db: Querier, of: number[]): Promise<ErasedPeople> {
  const emails = (await db.query<{ email: string }>(EMAILS, of)).rows.map(({ email }) => email);
  const { rows } = await db.query<{ identity_id: string }>(
    `select identity_id from (${IDENTITIES}) as stored (identity_id) where identity_id is not null`,
    [...of, emails],
  );
  return { playerIds: new Set([String(of[1])]), emails, identities: new Set(rows.map(({ identity_id }) => identity_id)) };
}

interface Reading {
  kind: string;
  subject: string;
  read_no: number;
}

/** What names a person in compressed bytes, which the database can't search. */
interface Found {
  deliveries: number[];
  readings: Reading[];
  answers: Omit<Reading, 'read_no'>[];
  refused: number[];
}

/** Lists the bytes of a game that name a person, of those stored after an instant; null: of all. */
async function searchAll(db: Querier, gameId: number, people: ErasedPeople, since: string | null): Promise<Found> {
  const names = async ({ body }: { body: Buffer }): Promise<boolean> => (await redactBytes(body, people)) !== null;
  const deliveries = await search<{ delivery_id: number; body: Buffer }>(
    async (last) =>
      db.query(
        `select delivery_id, body from delivery where game_id = $1 and delivery_id > $2 and body is not null
           and ($4::timestamptz is null or received_at > $4) order by delivery_id limit $3`,
        [gameId, last?.delivery_id ?? 0, BODIES_AT_ONCE, since],
      ),
    async ({ body }) => people.emails.length > 0 && namesEmail(gunzipSync(body), people.emails),
  );
  const readings = await search<Reading & { body: Buffer }>(
    async (last) =>
      db.query(
        `select kind, subject, read_no, body from report_read where game_id = $1 and (kind, subject, read_no) > ($2, $3, $4) and body is not null
           and ($6::timestamptz is null or read_at > $6) order by kind, subject, read_no limit $5`,
        [gameId, last?.kind ?? '', last?.subject ?? '', last?.read_no ?? 0, BODIES_AT_ONCE, since],
      ),
    names,
  );
  const answers = await search<Omit<Reading, 'read_no'> & { body: Buffer }>(
    async (last) =>
      db.query(
        `select kind, subject, body from detail_read where game_id = $1 and (kind, subject) > ($2, $3)
           and ($5::timestamptz is null or read_at > $5) order by kind, subject limit $4`,
        [gameId, last?.kind ?? '', last?.subject ?? '', BODIES_AT_ONCE, since],
      ),
    names,
  );
  const refused = await search<{ response_id: number; body: Buffer }>(
    async (last) =>
      db.query(
        `select response_id, body from response where game_id = $1 and response_id > $2 and slice_id is null and snapshot_id is null
           and ($4::timestamptz is null or received_at > $4) order by response_id limit $3`,
        [gameId, last?.response_id ?? 0, 1, since],
      ),
    names,
  );
  return {
    deliveries: deliveries.map(({ delivery_id }) => delivery_id),
    readings: readings.map(({ kind, subject, read_no }) => ({ kind, subject, read_no })),
    answers: answers.map(({ kind, subject }) => ({ kind, subject })),
    refused: refused.map(({ response_id }) => response_id),
  };
}

/** Bodies looked through at once: 256 KiB each at most, but for some reports. */
const BODIES_AT_ONCE = 200;

/** The rows that match, a part read at a time, without their bytes held. */
async function search<Row extends { body: Buffer }>(
  read: (last: Row | null) => Promise<pg.QueryResult<Row>>,
  matches: (row: Row) => Promise<boolean>,
): Promise<Omit<Row, 'body'>[]> {
  const found: Omit<Row, 'body'>[] = [];
  for (let last: Row | null = null; ; ) {
    const { rows }: pg.QueryResult<Row> = await read(last);
    for (const row of rows) {
      if (!(await matches(row))) continue;
      const { body: _, ...key } = row;
      found.push(key);
    }
    last = rows.at(-1) ?? null;
    if (last === null) return found;
  }
}

/** Leaves people out of readings, of those that have the same bytes, and of refused responses. */
async function redact(client: pg.ClientBase, gameId: number, people: ErasedPeople, readings: Reading[], refused: number[]): Promise<void> {
  for (const { kind, subject, read_no } of readings) {
    const key = [gameId, kind, subject, read_no];
    const left = await redactStored(
      client.query('select body from report_read where game_id = $1 and kind = $2 and subject = $3 and read_no = $4 for update', key),
      people,
    );
    if (left === null) continue;
    await client.query(
      `update report_read set body = case when read_no = $4 then $5::bytea end, sha256 = $6, is_redacted = true
       where game_id = $1 and kind = $2 and subject = $3 and read_no >= $4 and read_no < coalesce((
         select min(next.read_no) from report_read next
         where next.game_id = $1 and next.kind = $2 and next.subject = $3 and next.read_no > $4 and next.body is not null), 2147483647)`,
      [...key, left.body, left.sha256],
    );
  }
  for (const id of refused) {
    const left = await redactStored(
      client.query('select body from response where game_id = $1 and response_id = $2 for update', [gameId, id]),
      people,
    );
    if (left === null) continue;
    await client.query(
      'update response set body = $3, sha256 = $4, inflated_byte_count = $5, is_redacted = true where game_id = $1 and response_id = $2',
      [gameId, id, left.body, left.sha256, left.inflatedByteCount],
    );
  }
}

async function redactStored(stored: Promise<pg.QueryResult<{ body: Buffer }>>, people: ErasedPeople): Promise<RedactedBytes | null> {
  const { rows } = await stored;
  return rows[0] === undefined ? null : await redactBytes(rows[0].body, people);
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
