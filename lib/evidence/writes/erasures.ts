import { gunzipSync } from 'node:zlib';
import { type QueryResult, type RawBuilder, sql } from 'kysely';
import { lockGame } from '#db/kit/lease.ts';
import { countChanges, type Db, inTransaction } from '#db/kit/open.ts';
import { clearWords } from '#lib/actions/writes/clear-words.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { namesEmail } from '#lib/core/typed-input.ts';
import { type RedactedBytes, redactBytes } from '../reads/names-in-bytes.ts';
import type { ErasedPeople } from '../rules/leave-out-people.ts';

export interface Erasure {
  gameId: number;
  playerId: number;
  /** Email of the person, or "command line". */
  by: string;
  reason: string;
}

/**
 * Erases what names a person: email, name and identity_id in every slice, snapshot, balance file, reading of a detail report and refused response, the salt of
 * their digests, the newest answers that may name them, their payment details, bodies of webhooks that name them by ID or email, and what was rendered or drawn with their name.
 * Figures and digests stay, and so do raw responses that the chain binds. False when they were erased before: what came since by another way goes all
 * the same. Null when nothing is stored of them.
 */
export async function eraseRecipient(db: Db, { gameId, playerId, by, reason }: Erasure): Promise<boolean | null> {
  const person: ErasedPerson = { gameId, playerId };
  // Bodies are many and searched one by one, so most are before the lock, which stops what stores recipients.
  const { rows: clock } = await sql<{ since: string }>`select clock_now() - interval '10 minutes' as since`.execute(db);
  const before = await findNamed(db, person);
  const found = await searchAll(db, gameId, before, null);
  return inTransaction(db, async (tx) => {
    // Waits for what is being stored with their name; what comes later is stored without it.
    await lockGame(tx, gameId, ['names'], 'exclusive');
    if ((await sql`select 1 where ${isKnown(person)}`.execute(tx)).rows.length === 0) return null;
    const isNew = await countChanges(
      tx,
      sql`insert into recipient_erasure (game_id, recipient_player_id, erased_by, reason) values (${gameId}, ${playerId}, ${by}, ${reason})
        on conflict do nothing`,
    );
    const named = await findNamed(tx, person);
    const isSearched =
      named.emails.every((email) => before.emails.includes(email)) && [...named.identities].every((id) => before.identities.has(id));
    // What was being stored during the search was received in those minutes.
    const late = await searchAll(tx, gameId, named, isSearched ? (clock[0]?.since ?? null) : null);
    await clearBodies(person, named.emails, [...found.deliveries, ...late.deliveries]).execute(tx);
    await redact(tx, gameId, named, [...found.readings, ...late.readings], [...found.refused, ...late.refused]);
    for (const { kind, subject } of [...found.answers, ...late.answers])
      await sql`delete from detail_read where game_id = ${gameId} and kind = ${kind} and subject = ${subject}`.execute(tx);
    await clearTransfers(person, named.emails).execute(tx);
    for (const statement of clearBalances(person, named.emails)) await statement.execute(tx);
    for (const statement of [...clearRecipient(person), clearWords(person)]) await statement.execute(tx);
    if (isNew === 0) return false;
    await recordAudit(tx, { actor: by, gameId, act: 'erased a recipient', subject: `recipient ${playerId}`, detail: { reason } });
    return true;
  });
}

/** The person of an erasure. */
interface ErasedPerson {
  gameId: number;
  playerId: number;
}

/** Whether anything is stored of a person: as a recipient, or as a player of the desk. */
function isKnown({ gameId, playerId }: ErasedPerson): RawBuilder<boolean> {
  const desk = ['known_player', 'known_subscription', 'known_order', 'desk_action'].map(
    (table) => sql`exists (select from ${sql.table(table)} where game_id = ${gameId} and player_id = ${playerId})`,
  );
  return sql<boolean>`exists (select from slice_recipient where game_id = ${gameId} and recipient_player_id = ${playerId})
    or ${sql.join(desk, sql` or `)}
    or exists (select from delivery_subject where game_id = ${gameId} and kind in ('player', 'recipient') and id_text = ${String(playerId)})
    or exists (select from balance_entry where game_id = ${gameId} and player_id = ${String(playerId)})`;
}

/** By what a person is named: their ID, and the emails, in lower case, and identities under which they are stored. */
export async function findNamed(db: Db, person: ErasedPerson): Promise<ErasedPeople> {
  const { gameId, playerId } = person;
  const stored = await sql<{ email: string }>`select distinct lower(email) as email from (
      select player_email as email from slice_recipient where game_id = ${gameId} and recipient_player_id = ${playerId}
      union all select player_email from snapshot_recipient where game_id = ${gameId} and recipient_player_id = ${playerId}
      union all select player_email from known_player where game_id = ${gameId} and player_id = ${playerId}
      union all select email from balance_entry where game_id = ${gameId} and player_id = ${String(playerId)}
    ) as stored where email is not null`.execute(db);
  const emails = stored.rows.map(({ email }) => email);
  const { rows } = await sql<{ identity_id: string }>`select identity_id from (${identitiesOf(person, emails)}) as stored (identity_id)
    where identity_id is not null`.execute(db);
  return { playerIds: new Set([String(playerId)]), emails, identities: new Set(rows.map(({ identity_id }) => identity_id)) };
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

/** A table of compressed bytes: its key, where it begins, the column of its time, and how many bodies are looked through at once. */
interface SearchedTable<Key extends object> {
  table: string;
  first: Key;
  time: 'received_at' | 'read_at';
  where?: RawBuilder<unknown>;
  count: number;
}

/** Bodies looked through at once: 256 KiB each at most, but for some reports. */
const BODIES_AT_ONCE = 200;
const AT_ONCE = { count: BODIES_AT_ONCE } as const;
const DELIVERIES: SearchedTable<{ delivery_id: number }> = {
  table: 'delivery',
  first: { delivery_id: 0 },
  time: 'received_at',
  ...AT_ONCE,
};
const READINGS: SearchedTable<Reading> = {
  table: 'report_read',
  first: { kind: '', subject: '', read_no: 0 },
  time: 'read_at',
  ...AT_ONCE,
};
const ANSWERS: SearchedTable<Omit<Reading, 'read_no'>> = {
  table: 'detail_read',
  first: { kind: '', subject: '' },
  time: 'read_at',
  ...AT_ONCE,
};
const REFUSED: SearchedTable<{ response_id: number }> = {
  table: 'response',
  first: { response_id: 0 },
  time: 'received_at',
  where: sql`slice_id is null and snapshot_id is null`,
  count: 1,
};

/** Lists the bytes of a game that name a person, of those stored after an instant; null: of all. */
async function searchAll(db: Db, gameId: number, people: ErasedPeople, since: string | null): Promise<Found> {
  const search = <Key extends object>(searched: SearchedTable<Key>, matches: (body: Buffer) => Promise<boolean>): Promise<Key[]> =>
    searchTable(db, { gameId, since, ...searched }, matches);
  const isNaming = async (body: Buffer): Promise<boolean> => (await redactBytes(body, people)) !== null;
  const isMailing = async (body: Buffer): Promise<boolean> => people.emails.length > 0 && namesEmail(gunzipSync(body), people.emails);
  return {
    deliveries: (await search(DELIVERIES, isMailing)).map(({ delivery_id }) => delivery_id),
    readings: await search(READINGS, isNaming),
    answers: await search(ANSWERS, isNaming),
    refused: (await search(REFUSED, isNaming)).map(({ response_id }) => response_id),
  };
}

/** The keys of the rows whose bytes match, a part read at a time, without their bytes held. */
async function searchTable<Key extends object>(
  db: Db,
  { table, first, time, where = sql`true`, count, gameId, since }: SearchedTable<Key> & { gameId: number; since: string | null },
  matches: (body: Buffer) => Promise<boolean>,
): Promise<Key[]> {
  const key = sql.join(Object.keys(first).map((name) => sql.ref(name)));
  const found: Key[] = [];
  for (let last = first; ; ) {
    const { rows } = await sql<Key & { body: Buffer }>`select ${key}, body from ${sql.table(table)}
      where game_id = ${gameId} and (${key}) > (${sql.join(Object.values(last))}) and body is not null and ${where}
        and (${since}::timestamptz is null or ${sql.ref(time)} > ${since}) order by ${key} limit ${count}`.execute(db);
    for (const { body, ...named } of rows) {
      // Guarantee of the cast: a row is its key and its body.
      last = named as unknown as Key;
      if (await matches(body)) found.push(last);
    }
    if (rows.length === 0) return found;
  }
}

/** Leaves people out of readings, of those that have the same bytes, and of refused responses. */
async function redact(tx: Db, gameId: number, people: ErasedPeople, readings: Reading[], refused: number[]): Promise<void> {
  for (const { kind, subject, read_no } of readings) {
    const ofOne = sql`game_id = ${gameId} and kind = ${kind} and subject = ${subject}`;
    const left = await redactStored(
      sql<{ body: Buffer }>`select body from report_read where ${ofOne} and read_no = ${read_no} for update`.execute(tx),
      people,
    );
    if (left === null) continue;
    await sql`update report_read set body = case when read_no = ${read_no} then ${left.body}::bytea end, sha256 = ${left.sha256}, is_redacted = true
      where ${ofOne} and read_no >= ${read_no} and read_no < coalesce((
        select min(next.read_no) from report_read next
        where next.game_id = ${gameId} and next.kind = ${kind} and next.subject = ${subject} and next.read_no > ${read_no}
          and next.body is not null), 2147483647)`.execute(tx);
  }
  for (const id of refused) {
    const left = await redactStored(
      sql<{ body: Buffer }>`select body from response where game_id = ${gameId} and response_id = ${id} for update`.execute(tx),
      people,
    );
    if (left === null) continue;
    await sql`update response set body = ${left.body}, sha256 = ${left.sha256}, inflated_byte_count = ${left.inflatedByteCount}, is_redacted = true where game_id = ${gameId} and response_id = ${id}`.execute(
      tx,
    );
  }
}

async function redactStored(stored: Promise<QueryResult<{ body: Buffer }>>, people: ErasedPeople): Promise<RedactedBytes | null> {
  const { rows } = await stored;
  return rows[0] === undefined ? null : await redactBytes(rows[0].body, people);
}

/** The identities under which a person is stored. */
function identitiesOf({ gameId, playerId }: ErasedPerson, emails: readonly string[]): RawBuilder<unknown> {
  return sql`select identity_id::text from slice_recipient where game_id = ${gameId} and recipient_player_id = ${playerId}
    union select identity_id::text from snapshot_recipient where game_id = ${gameId} and recipient_player_id = ${playerId}
    union select identity_id from known_player where game_id = ${gameId} and player_id = ${playerId}
    union select identity_id from balance_entry where game_id = ${gameId} and (player_id = ${String(playerId)} or lower(email) = any(${emails}))`;
}

/** Bodies of webhooks that name them: before their identities go, by which an order or a transfer may name them. */
function clearBodies(person: ErasedPerson, emails: readonly string[], deliveryIds: readonly number[]): RawBuilder<unknown> {
  const { gameId, playerId } = person;
  return sql`update delivery set body = null where game_id = ${gameId} and body is not null and (delivery_id = any(${deliveryIds}) or delivery_id in (
    select delivery_id from delivery_subject where game_id = ${gameId} and ((kind in ('player', 'recipient') and id_text = ${String(playerId)})
      or (kind in ('identity', 'recipient') and id_text in (${identitiesOf(person, emails)})))))`;
}

/** A transfer names its receiver by identity only. */
function clearTransfers(person: ErasedPerson, emails: readonly string[]): RawBuilder<unknown> {
  const { gameId } = person;
  return sql`with received as (
      update known_transfer set to_identity_id = null where game_id = ${gameId} and to_identity_id in (${identitiesOf(person, emails)})
      returning transaction_id)
    delete from detail_read where game_id = ${gameId} and kind in ('transfer', 'approval') and subject in (select transaction_id from received)`;
}

/** How an entry of a balance file is changed: the line, the player ID and the balances stay, and the file says why the rest is missing. */
export const ERASED_ENTRY = `email = null, player_name = null, identity_id = null, reason = 'erased',
  asked_emails = case when asked_emails is not null then array_fill(null::text, array[cardinality(asked_emails)]) end,
  entry_key = case when entry_key like 'player %' then entry_key else 'erased ' || entry_no end`;

/** A line that a job hasn't requested yet is no longer requested: it ends without an answer. */
function clearBalances({ gameId, playerId }: ErasedPerson, emails: readonly string[]): RawBuilder<unknown>[] {
  return [
    sql`with unasked as (
        update balance_entry e set ${sql.raw(ERASED_ENTRY)}, outcome = 'unanswered' from balance_job j
        where e.game_id = ${gameId} and e.outcome = 'asked' and lower(e.email) = any(${emails}) and j.game_id = ${gameId}
          and j.balance_job_id = e.balance_job_id and j.ended_at is null
        returning e.balance_job_id)
      update balance_job j set unanswered_count = j.unanswered_count + part.count
      from (select balance_job_id, count(*)::int as count from unasked group by balance_job_id) part
      where j.game_id = ${gameId} and j.balance_job_id = part.balance_job_id`,
    sql`update balance_entry set ${sql.raw(ERASED_ENTRY)}
      where game_id = ${gameId} and (player_id = ${String(playerId)} or lower(email) = any(${emails}))`,
  ];
}

function clearRecipient({ gameId, playerId }: ErasedPerson): RawBuilder<unknown>[] {
  const ofThem = sql`game_id = ${gameId} and recipient_player_id = ${playerId}`;
  return [
    ...['slice_recipient', 'snapshot_recipient'].map(
      (table) => sql`update ${sql.table(table)} set player_email = null, player_name = null, identity_id = null where ${ofThem}`,
    ),
    ...['recipient_salt', 'recipient_statement'].map((table) => sql`delete from ${sql.table(table)} where ${ofThem}`),
    sql`with looked_up as (delete from look_up where game_id = ${gameId} and player_id = ${playerId}) delete from known_player where game_id = ${gameId} and player_id = ${playerId}`,
    // Under the ids of a player, of a period they are attributed, or of its subscription, with the offset of a page.
    sql`delete from detail_read where game_id = ${gameId} and split_part(subject, ' ', 1) in (
      select ${String(playerId)}
      union select period_id::text from renewal_line where ${ofThem}
      union select subscription_id from renewal_line where ${ofThem}
      union select subscription_id from known_subscription where game_id = ${gameId} and player_id = ${playerId})`,
    // An order names its player, and may be stored under any of its ids.
    sql`delete from detail_read using known_order of_player
      where detail_read.game_id = ${gameId} and detail_read.kind in ('order', 'item_order') and of_player.game_id = ${gameId} and of_player.player_id = ${playerId}
        and detail_read.subject in (of_player.order_id, of_player.transaction_id, of_player.payment_intent_id, of_player.purchase_reference)`,
    sql`delete from rendition where game_id = ${gameId} and snapshot_id in (select snapshot_id from snapshot_recipient where ${ofThem})`,
    // Number, people, dates and the reason of payment details stay; they pay nothing.
    sql`update payee_detail set sealed = '', mask = 'Erased', fingerprint = null, salt = null, identity_id = null, country = null,
      holder_kind = 'person', method = 'none', erased_at = clock_now() where ${ofThem} and erased_at is null`,
  ];
}
