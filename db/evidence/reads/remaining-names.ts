import type pg from 'pg';
import type { ErasedPeople } from '#lib/evidence/rules/leave-out-people.ts';
import { redactBytes } from '../redact-bytes.ts';

/** What still names an erased person, because a chain or an approval binds its bytes. */
export interface RemainingNames {
  /** Raw responses of pulled months that name them. */
  responses: number;
  /** The earliest and latest window of these, as instants; null: none. */
  responsesFrom: string | null;
  responsesTo: string | null;
  /** Answers of Invo to refunds that name them; the audit has their digests. */
  refundAnswers: number;
  /** Texts that people wrote with one of their emails: reasons, notes and the audit, by table and column. */
  texts: { place: string; count: number }[];
}

/** What people write, or acts that state it; the database refuses to change it. Lines and IDs of reports are not searched. */
const WRITTEN = [
  'audit.detail',
  'audit.subject',
  'delivery.settled_reason',
  'payout_adjustment.reason',
  'payout_hold.note',
  'payout_hold.release_note',
  'payout_note.note',
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
export async function listRemainingNames(pool: pg.Pool, gameId: number, people: ErasedPeople): Promise<RemainingNames> {
  const playerIds = [...people.playerIds];
  const windows: { start: string; end: string }[] = [];
  let responses = 0;
  // One body at a time: a page of a large month has megabytes.
  for (let last = 0; ; ) {
    const { rows } = await pool.query<{ response_id: number; body: Buffer; window_start: string; window_end: string }>(
      `select r.response_id, r.body, coalesce(s.window_start, n.window_start) as window_start, coalesce(s.window_end, n.window_end) as window_end
       from response r
       left join slice s on s.game_id = $1 and s.slice_id = r.slice_id
       left join snapshot n on n.game_id = $1 and n.snapshot_id = r.snapshot_id
       where r.game_id = $1 and r.response_id > $2 and (
         r.slice_id in (select slice_id from slice_recipient where game_id = $1 and recipient_player_id = any($3::bigint[]))
         or r.snapshot_id in (select snapshot_id from snapshot_recipient where game_id = $1 and recipient_player_id = any($3::bigint[])))
       order by r.response_id limit 1`,
      [gameId, last, playerIds],
    );
    const [row] = rows;
    if (row === undefined) break;
    last = row.response_id;
    if ((await redactBytes(row.body, people)) === null) continue;
    responses += 1;
    windows.push({ start: row.window_start, end: row.window_end });
  }
  let refundAnswers = 0;
  const attempts = await pool.query<{ refund_id: number; attempt_no: number }>(
    'select refund_id, attempt_no from refund_attempt where game_id = $1 and body is not null order by refund_id, attempt_no',
    [gameId],
  );
  for (const { refund_id, attempt_no } of attempts.rows) {
    const { rows } = await pool.query<{ body: Buffer }>(
      'select body from refund_attempt where game_id = $1 and refund_id = $2 and attempt_no = $3',
      [gameId, refund_id, attempt_no],
    );
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
    texts: await countTexts(pool, gameId, people.emails),
  };
}

async function countTexts(pool: pg.Pool, gameId: number, emails: readonly string[]): Promise<RemainingNames['texts']> {
  if (emails.length === 0) return [];
  const { rows } = await pool.query<{ place: string; count: number }>(
    WRITTEN.map((place) => {
      const [table, column] = place.split('.');
      return `select '${place}' as place, count(*)::int as count from ${table} t, unnest($2::text[]) as named (email)
        where t.game_id = $1 and position(named.email in lower(t.${column}::text)) > 0`;
    }).join(' union all '),
    [gameId, emails],
  );
  return rows.filter(({ count }) => count > 0);
}
