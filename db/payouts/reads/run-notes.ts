import type { Finding, RunNote } from '#lib/payouts/rules/run-content.ts';
import type { Queryable, RunBasis } from './run-facts.ts';

/** Lists the notes of a run, oldest first, with the names of who wrote them. */
export async function listRunNotes(from: Queryable, { gameId, runId }: RunBasis): Promise<RunNote[]> {
  const { rows } = await from.query<RunNote>(
    `select n.check_key as "checkKey", encode(n.facts, 'hex') as facts, n.note, p.name as "notedBy", n.noted_at as "notedAt"
     from payout_note n join person p on p.id = n.noted_by where n.game_id = $1 and n.run_id = $2 order by n.noted_at, n.check_key`,
    [gameId, runId],
  );
  return rows;
}

/** Lists the findings on renewals without attribution of a month, by reason, oldest first. */
export async function listFindings(from: Queryable, { gameId, window }: Pick<RunBasis, 'gameId' | 'window'>): Promise<Finding[]> {
  const { rows } = await from.query<Finding>(
    `select f.reason, f.renewal_count as "renewalCount", f.conclusion, f.note, p.name as "foundBy", f.found_at as "foundAt"
     from unattributed_finding f join person p on p.id = f.found_by
     where f.game_id = $1 and f.window_start = $2 and f.window_end = $3 order by f.reason, f.finding_no`,
    [gameId, window.start, window.end],
  );
  return rows;
}
