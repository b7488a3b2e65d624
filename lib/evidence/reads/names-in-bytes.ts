import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { sha256Of } from '#lib/core/canonical-digest.ts';
import { parseExactJson } from '#lib/core/exact-json.ts';
import { namesEmail } from '#lib/core/typed-input.ts';
import { type ErasedPeople, leaveOutPeople, mayName } from '../rules/leave-out-people.ts';

const [inflate, deflate] = [promisify(gunzip), promisify(gzip)];

/** A body without what names erased people. */
export interface RedactedBytes {
  /** Gzip. */
  body: Buffer;
  /** Over the inflated body. */
  sha256: Buffer;
  inflatedByteCount: number;
}

/** Leaves people out of a gzipped JSON body; null when it names none of them. A body that is no JSON and names one is emptied. Numbers keep their digits. */
export async function redactBytes(gzipped: Buffer, people: ErasedPeople): Promise<RedactedBytes | null> {
  const bytes = await inflateWhole(gzipped);
  if (!mayName(bytes, people)) return null;
  const text = writeWithout(bytes, people);
  if (text === null) return null;
  const left = Buffer.from(text);
  return { body: await deflate(left), sha256: sha256Of(left), inflatedByteCount: left.length };
}

/** The inflated bytes; empty when they are damaged, which `verify` names. */
async function inflateWhole(gzipped: Buffer): Promise<Buffer> {
  try {
    return await inflate(gzipped);
  } catch {
    return Buffer.alloc(0);
  }
}

function writeWithout(bytes: Buffer, people: ErasedPeople): string | null {
  const text = bytes.toString('utf8');
  let parsed: unknown;
  try {
    parsed = parseExactJson(text);
  } catch {
    const ids = [...people.playerIds].join('|');
    const hasId = ids !== '' && new RegExp(String.raw`player_?id"?\s*:\s*"?(?:${ids})\b`, 'i').test(text);
    return hasId || namesEmail(bytes, people.emails) || [...people.identities].some((id) => text.includes(id)) ? '' : null;
  }
  const left = leaveOutPeople(parsed, people);
  // A key that is there twice is parsed once: written again, only the inspected value is left.
  return left === parsed && !namesEmail(bytes, people.emails) ? null : JSON.stringify(left);
}

/** What still names an erased person, because a chain or an approval binds its bytes. */
export interface RemainingNames {
  /** Raw responses of pulled months that name them. */
  responses: number;
  /** The earliest and latest window of these, as instants; null: none. */
  responsesFrom: string | null;
  responsesTo: string | null;
  /** Answers of Invo to refunds that name them; the audit has their digests. */
  refundAnswers: number;
  /** Sealed payment files that pay them. */
  paymentFiles: number;
  /** Sealed bank reports that state something of their payments or list a row about one. */
  bankReports: number;
  /** Texts that people wrote with one of their emails: reasons, notes and the audit, by table and column. */
  texts: { place: string; count: number }[];
}

/** What people write, or acts and approved contents that state it; the database refuses to change it. Lines and IDs of reports are not searched. */
const WRITTEN = [
  'action_pause.why',
  'audit.detail',
  'audit.subject',
  'delivery.settled_reason',
  'payee_detail.reason',
  'payment_report.file_name',
  'payment_report_row.note',
  'payout_adjustment.reason',
  'payout_batch.cancel_reason',
  'payout_batch.eur_rate_source',
  'payout_batch.note',
  'payout_batch.provider_reference',
  'payout_hold.note',
  'payout_hold.release_note',
  'payout_item.reason',
  'payout_note.note',
  'payout_run.content',
  'payout_run.eur_rate_source',
  'payout_run.reject_reason',
  'payout_run.void_reason',
  'recipient_erasure.reason',
  'refund.reason_text',
  'refund_decision.proposed_text',
  'refund_pause.why',
  'unattributed_finding.note',
  'unattributed_renewal.note',
];

/** Lists what names a person and stays after their erasure, by inflating the bytes. `people`: as they were named before it. */
export async function listRemainingNames(db: Db, gameId: number, people: ErasedPeople): Promise<RemainingNames> {
  const playerIds = [...people.playerIds];
  const windows: { start: string; end: string }[] = [];
  let responses = 0;
  // One body at a time: a page of a large month has megabytes.
  for (let last = 0; ; ) {
    const { rows } = await sql<{
      response_id: number;
      body: Buffer;
      window_start: string;
      window_end: string;
    }>`select r.response_id, r.body, coalesce(s.window_start, n.window_start) as window_start, coalesce(s.window_end, n.window_end) as window_end
       from response r
       left join slice s on s.game_id = ${gameId} and s.slice_id = r.slice_id
       left join snapshot n on n.game_id = ${gameId} and n.snapshot_id = r.snapshot_id
       where r.game_id = ${gameId} and r.response_id > ${last} and (
         r.slice_id in (select slice_id from slice_recipient where game_id = ${gameId} and recipient_player_id = any(${playerIds}::bigint[]))
         or r.snapshot_id in (select snapshot_id from snapshot_recipient where game_id = ${gameId} and recipient_player_id = any(${playerIds}::bigint[])))
       order by r.response_id limit 1`.execute(db);
    const [row] = rows;
    if (row === undefined) break;
    last = row.response_id;
    if ((await redactBytes(row.body, people)) === null) continue;
    responses += 1;
    windows.push({ start: row.window_start, end: row.window_end });
  }
  let refundAnswers = 0;
  const attempts = await sql<{
    refund_id: number;
    attempt_no: number;
  }>`select refund_id, attempt_no from refund_attempt where game_id = ${gameId} and body is not null order by refund_id, attempt_no`.execute(
    db,
  );
  for (const { refund_id, attempt_no } of attempts.rows) {
    const { rows } = await sql<{
      body: Buffer;
    }>`select body from refund_attempt where game_id = ${gameId} and refund_id = ${refund_id} and attempt_no = ${attempt_no}`.execute(db);
    if (rows[0] !== undefined && (await redactBytes(rows[0].body, people)) !== null) refundAnswers += 1;
  }
  return {
    responses,
    responsesFrom: windows.map(({ start }) => start).toSorted()[0] ?? null,
    responsesTo:
      windows
        .map(({ end }) => end)
        .toSorted()
        .at(-1) ?? null,
    refundAnswers,
    ...(await countSealed(db, gameId, playerIds)),
    texts: await countTexts(db, gameId, people.emails),
  };
}

/** Counts without opening: what is sealed is opened with a key alone. A report whose rows all repeat an earlier one states nothing and isn't counted. */
async function countSealed(
  db: Db,
  gameId: number,
  playerIds: readonly string[],
): Promise<Pick<RemainingNames, 'paymentFiles' | 'bankReports'>> {
  const { rows } = await sql<Pick<RemainingNames, 'paymentFiles' | 'bankReports'>>`
    with own as (select i.run_id, i.item_no, i.batch_no from payout_item i
      where i.game_id = ${gameId} and i.recipient_player_id = any(${playerIds}::bigint[]))
    select
      (select count(*)::int from payout_batch b where b.game_id = ${gameId} and b.sealed is not null
        and b.batch_no in (select own.batch_no from own)) as "paymentFiles",
      (select count(*)::int from payment_report report where report.game_id = ${gameId} and report.report_no in (
        select c.report_no from own join payment_confirmation c on c.game_id = ${gameId} and c.run_id = own.run_id and c.item_no = own.item_no
        union all
        select r.report_no from own join payment_report_row r on r.game_id = ${gameId} and r.run_id = own.run_id and r.item_no = own.item_no)) as "bankReports"`.execute(
    db,
  );
  return rows[0] ?? { paymentFiles: 0, bankReports: 0 };
}

async function countTexts(db: Db, gameId: number, emails: readonly string[]): Promise<RemainingNames['texts']> {
  if (emails.length === 0) return [];
  const counts = WRITTEN.map((place) => {
    const [table = '', column = ''] = place.split('.');
    return sql`select ${sql.lit(place)} as place, count(*)::int as count from ${sql.table(table)} t, unnest(${emails}::text[]) as named (email)
      where t.game_id = ${gameId} and position(named.email in lower(t.${sql.ref(column)}::text)) > 0`;
  });
  const { rows } = await sql<{ place: string; count: number }>`${sql.join(counts, sql` union all `)}`.execute(db);
  return rows.filter(({ count }) => count > 0);
}
