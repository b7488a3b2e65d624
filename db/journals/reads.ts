import { CompiledQuery } from 'kysely';
import { type Db, instantText } from '#db/kit/open.ts';
import type { Queryable } from '#db/payouts/reads/run-facts.ts';
import type { Window } from '#lib/core/window.ts';
import { type DetailFigures, parseDetailFigures } from '#lib/evidence/rules/detail-figures.ts';
import { type AccountMap, NO_ACCOUNTS, parseAccountMap } from '#lib/journals/rules/account-map.ts';
import type { AccrualFacts, JournalKind, RunningTotals, Transfer, TransferKind } from '#lib/journals/rules/journal.ts';

/** One stored journal with the run it is about. */
export interface StoredJournal {
  entryNo: number;
  journalNo: string;
  kind: JournalKind;
  runId: number;
  runNo: number;
  runState: string;
  /** Hex content digest of the run. */
  runDigest: string;
  snapshotId: number;
  window: Window;
  /** A date, YYYY-MM-DD. */
  postedOn: string;
  writtenBy: string;
  writtenAt: string;
  transfers: Transfer[];
}

/** A run that was approved, with what its journals are worked out from. */
export interface ApprovedRun {
  runId: number;
  runNo: number;
  state: string;
  snapshotId: number;
  window: Window;
  facts: AccrualFacts;
  /** Invo's gross of the month, which is not posted, and reversals whose partner revenue Invo doesn't report. */
  gross_usd: string;
  reversalsWithoutReceipts: number;
  /** What the detail reports of its snapshot, or a newer one, come to; null: not read. */
  details: DetailFigures | null;
}

/** Asks in a transaction of the driver's client, or through Kysely. Guarantee of the cast: `Row` names the columns of the statement. */
async function ask<Row extends object>(from: Db | Queryable, text: string, values: unknown[]): Promise<Row[]> {
  const { rows } = 'executeQuery' in from ? await from.executeQuery(CompiledQuery.raw(text, values)) : await from.query(text, values);
  return rows as Row[];
}

const JOURNALS = `
  select e.entry_no as "entryNo", e.journal_no as "journalNo", e.kind, e.run_id as "runId", run.run_no as "runNo", run.state as "runState",
    encode(run.content_digest, 'hex') as "runDigest", run.snapshot_id as "snapshotId", run.window_start, run.window_end, e.posted_on::text as "postedOn",
    p.name as "writtenBy", ${instantText('e.written_at')} as "writtenAt",
    (select coalesce(json_agg(json_build_object('kind', t.kind, 'debit', t.debit, 'credit', t.credit, 'exact_usd', t.exact_usd::text,
        'posted_usd', t.posted_usd::text) order by t.transfer_no), '[]')
      from journal_transfer t where t.game_id = e.game_id and t.entry_no = e.entry_no) as transfers
  from journal_entry e join payout_run run using (game_id, run_id) join person p on p.id = e.written_by`;

type JournalRow = Omit<StoredJournal, 'window'> & { window_start: string; window_end: string };

/** Lists the journals of a month, or of a whole game, in the order they were written in. */
export async function listJournals(from: Db | Queryable, gameId: number, window: Window | null): Promise<StoredJournal[]> {
  const rows = await ask<JournalRow>(
    from,
    `${JOURNALS} where e.game_id = $1 and ($2::timestamptz is null or run.window_start = $2 and run.window_end = $3) order by e.entry_no`,
    [gameId, window?.start ?? null, window?.end ?? null],
  );
  return rows.map(({ window_start, window_end, ...journal }) => ({ ...journal, window: { start: window_start, end: window_end } }));
}

interface ApprovedRow extends Omit<ApprovedRun, 'window' | 'details' | 'facts'> {
  window_start: string;
  window_end: string;
  facts: AccrualFacts;
  figures: unknown;
}

const APPROVED_RUNS = `
  select run.run_id as "runId", run.run_no as "runNo", run.state, run.snapshot_id as "snapshotId", run.window_start, run.window_end,
    s.settled_gross_usd::text as gross_usd, s.reversals_without_receipts as "reversalsWithoutReceipts",
    json_build_object('settled_usd', s.partner_revenue_settled_usd::text, 'serviceFee_usd', s.invo_fee_usd::text,
      'partnerReversed_usd', s.partner_revenue_reversed_usd::text, 'earned_usd', run.earned_usd::text, 'reversed_usd', run.reversed_usd::text,
      'pinned_usd', run.pinned_usd::text, 'grew_usd', negative.grew::text, 'shrank_usd', negative.shrank::text,
      'adjustments', run.content -> 'adjustments') as facts,
    (select d.figures from detail_month d where d.game_id = run.game_id and d.window_start = run.window_start and d.window_end = run.window_end
      and d.snapshot_id >= run.snapshot_id) as figures
  from payout_run run join snapshot s using (game_id, snapshot_id)
    cross join lateral (
      select coalesce(sum(greatest(moved, 0)), 0.00) as grew, coalesce(sum(greatest(-moved, 0)), 0.00) as shrank
      from (select greatest(-l.closing_usd, 0) - greatest(-l.opening_usd, 0) as moved from payout_line l
        where l.game_id = run.game_id and l.run_id = run.run_id and (l.closing_usd < 0 or l.opening_usd < 0)) line
    ) negative`;

/** Lists the runs of a game that were approved, voided ones included, oldest first; with `runId` only that one. */
export async function listApprovedRuns(from: Db | Queryable, gameId: number, runId: number | null = null): Promise<ApprovedRun[]> {
  const rows = await ask<ApprovedRow>(
    from,
    `${APPROVED_RUNS} where run.game_id = $1 and run.approved_at is not null and ($2::bigint is null or run.run_id = $2) order by run.run_id`,
    [gameId, runId],
  );
  return rows.map(reshapeApproved);
}

function reshapeApproved({ window_start, window_end, figures, ...run }: ApprovedRow): ApprovedRun {
  return { ...run, window: { start: window_start, end: window_end }, details: figures === null ? null : parseDetailFigures(figures) };
}

/** Sums what all journals of a game come to, by kind of transfer. */
export async function findRunningTotals(from: Queryable, gameId: number): Promise<RunningTotals> {
  const rows = await ask<{ kind: TransferKind; exact_usd: string; posted_usd: string }>(
    from,
    'select kind, sum(exact_usd) as exact_usd, sum(posted_usd) as posted_usd from journal_transfer where game_id = $1 group by kind',
    [gameId],
  );
  return new Map(rows.map(({ kind, ...total }) => [kind, total]));
}

/** What the page and the files of a month's journals are made of. */
export interface MonthJournals {
  journals: StoredJournal[];
  /** The accounts in force. */
  map: AccountMap;
  /** The approved run of the month; null: none is. */
  run: ApprovedRun | null;
}

/** Finds the journals of a month, the accounts in force and the approved run of the month, in one statement. */
export async function findMonthJournals(from: Queryable, gameId: number, window: Window): Promise<MonthJournals> {
  const [row] = await ask<{ journals: JournalRow[]; map: StoredMap | null; run: ApprovedRow | null }>(
    from,
    `select
      (select coalesce(json_agg(row_to_json(journal) order by journal."entryNo"), '[]') from (${JOURNALS}
        where e.game_id = $1 and run.window_start = $2 and run.window_end = $3) journal) as journals,
      (select json_build_object('map_no', m.map_no, 'accounts', m.accounts) from account_map m where m.game_id = $1 order by m.map_no desc limit 1) as map,
      (select row_to_json(approved) from (${APPROVED_RUNS}
        where run.game_id = $1 and run.state = 'approved' and run.window_start = $2 and run.window_end = $3) approved) as run`,
    [gameId, window.start, window.end],
  );
  if (row === undefined) throw new Error('a statement without a table has one row');
  return {
    journals: row.journals.map(({ window_start: _, window_end: __, ...journal }) => ({ ...journal, window })),
    map: reshapeMap(row.map),
    run: row.run === null ? null : { ...reshapeApproved(row.run), window },
  };
}

interface StoredMap {
  map_no: number;
  accounts: unknown;
}

function reshapeMap(stored: StoredMap | null): AccountMap {
  return stored === null ? NO_ACCOUNTS : parseAccountMap(stored.map_no, stored.accounts);
}

/** Finds the accounts of a game in force, and who set them when; `setAt` null: none were set yet. */
export async function findAccountMap(
  from: Queryable,
  gameId: number,
): Promise<AccountMap & { setBy: string | null; setAt: string | null }> {
  const [row] = await ask<StoredMap & { setBy: string; setAt: string }>(
    from,
    `select m.map_no, m.accounts, p.name as "setBy", m.set_at as "setAt" from account_map m join person p on p.id = m.set_by
     where m.game_id = $1 order by m.map_no desc limit 1`,
    [gameId],
  );
  return { ...reshapeMap(row ?? null), setBy: row?.setBy ?? null, setAt: row?.setAt ?? null };
}

/** Lists what each posting of a game was recorded with in the audit: exact USD by kind of transfer. */
export async function listPostedInAudit(db: Db, gameId: number): Promise<{ journalNo: string; exact_usd: Record<string, string> }[]> {
  return await ask(
    db,
    `select detail ->> 'journal_no' as "journalNo", detail -> 'exact_usd' as exact_usd from audit where game_id = $1 and act = $2`,
    [gameId, POSTED_ACT],
  );
}

/** How the audit names a posting. */
export const POSTED_ACT = 'posted journal of payout run';
