import { type RawBuilder, sql } from 'kysely';
import { type Db, nestedInstant } from '#db/kit/open.ts';
import type { Window } from '#lib/core/window.ts';
import { type DetailFigures, parseDetailFigures } from '#lib/fees/rules/detail-figures.ts';
import { isReplaced } from '#lib/payments/reads/known-payments.ts';
import { windowOf } from '#lib/payouts/reads/run-facts.ts';
import { type AccountMap, NO_ACCOUNTS, parseAccountMap } from './rules/account-map.ts';
import type { AccrualFacts, JournalKind, RunningTotals, Transfer, TransferKind } from './rules/journal.ts';
import type { PostedJournal } from './rules/layouts.ts';
import type { PaymentChange } from './rules/payment-postings.ts';

/** One stored journal with the run it is about. */
export interface StoredJournal extends Omit<PostedJournal, 'lines'> {
  entryNo: number;
  kind: JournalKind;
  runState: string;
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

/** The journals of a game; further conditions follow. */
const journalsOf = (gameId: number): RawBuilder<StoredJournal> => sql`
  select e.entry_no as "entryNo", e.journal_no as "journalNo", e.kind, e.run_id as "runId", run.run_no as "runNo", run.state as "runState",
    encode(run.content_digest, 'hex') as "runDigest", run.snapshot_id as "snapshotId", ${windowOf('run')} as "window", e.posted_on::text as "postedOn",
    p.name as "writtenBy", ${nestedInstant('e.written_at')} as "writtenAt",
    (select coalesce(json_agg(json_build_object('kind', t.kind, 'debit', t.debit, 'credit', t.credit, 'exact_usd', t.exact_usd::text,
        'posted_usd', t.posted_usd::text) order by t.transfer_no), '[]')
      from journal_transfer t where t.game_id = ${gameId} and t.entry_no = e.entry_no) as transfers
  from journal_entry e join payout_run run on run.game_id = ${gameId} and run.run_id = e.run_id join person p on p.id = e.written_by
  where e.game_id = ${gameId}`;

const isOfMonth = ({ start, end }: Window): RawBuilder<boolean> => sql`run.window_start = ${start} and run.window_end = ${end}`;

/** Lists the journals of a month, or of a whole game, in the order they were written in. */
export async function listJournals(db: Db, gameId: number, window: Window | null): Promise<StoredJournal[]> {
  const { rows } = await sql<StoredJournal>`
    ${journalsOf(gameId)} and ${window === null ? sql`true` : isOfMonth(window)} order by e.entry_no`.execute(db);
  return rows;
}

type ApprovedRow = Omit<ApprovedRun, 'details'> & { figures: unknown };

/** The runs of a game with what journals are worked out from; further conditions follow. */
const runsOf = (gameId: number): RawBuilder<ApprovedRow> => sql`
  select run.run_id as "runId", run.run_no as "runNo", run.state, run.snapshot_id as "snapshotId", ${windowOf('run')} as "window",
    s.settled_gross_usd::text as gross_usd, s.reversals_without_receipts as "reversalsWithoutReceipts",
    json_build_object('settled_usd', s.partner_revenue_settled_usd::text, 'serviceFee_usd', s.invo_fee_usd::text,
      'partnerReversed_usd', s.partner_revenue_reversed_usd::text, 'earned_usd', run.earned_usd::text, 'reversed_usd', run.reversed_usd::text,
      'pinned_usd', run.pinned_usd::text, 'grew_usd', negative.grew::text, 'shrank_usd', negative.shrank::text,
      'adjustments', run.content -> 'adjustments') as facts,
    (select d.figures from detail_month d where d.game_id = ${gameId} and d.window_start = run.window_start and d.window_end = run.window_end
      and d.snapshot_id >= run.snapshot_id) as figures
  from payout_run run join snapshot s on s.game_id = ${gameId} and s.snapshot_id = run.snapshot_id
    cross join lateral (
      select coalesce(sum(greatest(moved, 0)), 0.00) as grew, coalesce(sum(greatest(-moved, 0)), 0.00) as shrank
      from (select greatest(-l.closing_usd, 0) - greatest(-l.opening_usd, 0) as moved from payout_line l
        where l.game_id = ${gameId} and l.run_id = run.run_id and (l.closing_usd < 0 or l.opening_usd < 0)) line
    ) negative
  where run.game_id = ${gameId}`;

/** Lists the runs of a game that were approved, voided ones included, oldest first; with `runId` only that one. */
export async function listApprovedRuns(db: Db, gameId: number, runId: number | null = null): Promise<ApprovedRun[]> {
  const { rows } = await sql<ApprovedRow>`
    ${runsOf(gameId)} and run.approved_at is not null and ${runId === null ? sql`true` : sql`run.run_id = ${runId}`} order by run.run_id`.execute(
    db,
  );
  return rows.map(reshapeApproved);
}

function reshapeApproved({ figures, ...run }: ApprovedRow): ApprovedRun {
  return { ...run, details: parseDetailFigures(figures) };
}

/** Sums what all journals of a game come to, by kind of transfer. */
export async function findRunningTotals(db: Db, gameId: number): Promise<RunningTotals> {
  const { rows } = await sql<{ kind: TransferKind; exact_usd: string; posted_usd: string }>`
    select kind, sum(exact_usd) as exact_usd, sum(posted_usd) as posted_usd from journal_transfer
    where game_id = ${gameId} group by kind`.execute(db);
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
export async function findMonthJournals(db: Db, gameId: number, window: Window): Promise<MonthJournals> {
  const { rows } = await sql<{ journals: StoredJournal[]; map: StoredMap | null; run: ApprovedRow | null }>`
    select
      (select coalesce(json_agg(row_to_json(journal) order by journal."entryNo"), '[]')
        from (${journalsOf(gameId)} and ${isOfMonth(window)}) journal) as journals,
      (select json_build_object('map_no', m.map_no, 'accounts', m.accounts) from account_map m
        where m.game_id = ${gameId} order by m.map_no desc limit 1) as map,
      (select row_to_json(approved) from (${runsOf(gameId)} and run.state = 'approved' and ${isOfMonth(window)}) approved) as run`.execute(
    db,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('a statement without a table has one row');
  return {
    journals: row.journals,
    map: reshapeMap(row.map),
    run: row.run === null ? null : reshapeApproved(row.run),
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
export async function findAccountMap(db: Db, gameId: number): Promise<AccountMap & { setBy: string | null; setAt: string | null }> {
  const row = await db
    .selectFrom('account_map as map')
    .innerJoin('person', 'person.id', 'map.set_by')
    .select(['map.map_no', 'map.accounts', 'person.name as setBy', 'map.set_at as setAt'])
    .where('map.game_id', '=', gameId)
    .orderBy('map.map_no', 'desc')
    .limit(1)
    .executeTakeFirst();
  return { ...reshapeMap(row ?? null), setBy: row?.setBy ?? null, setAt: row?.setAt ?? null };
}

/** What changed payments: the rows of a report that confirmed by themselves, one row that a person accepted, or a batch paid elsewhere. */
export type PaymentSource = { reportNo: number; rowNo: number | null } | { batchNo: number };

/**
 * Lists the payments that a source changed, by run, with what was known of each before. Left out are those that another payment replaced, and those that an approved run pays
 * again: a person corrects these with an adjustment.
 */
export async function listPaymentChanges(db: Db, gameId: number, source: PaymentSource): Promise<Map<number, PaymentChange[]>> {
  const isAdded =
    'batchNo' in source
      ? sql`false`
      : source.rowNo === null
        ? sql`c.report_no = ${source.reportNo} and c.matched_by <> 'person'`
        : sql`c.report_no = ${source.reportNo} and c.row_no = ${source.rowNo}`;
  const { rows: touched } = await ('batchNo' in source
    ? sql<{ runId: number; itemNos: number[] }>`
        select i.run_id as "runId", array_agg(i.item_no) as "itemNos" from payout_item i where i.game_id = ${gameId} and i.batch_no = ${source.batchNo} group by i.run_id`
    : sql<{ runId: number; itemNos: number[] }>`
        select c.run_id as "runId", array_agg(distinct c.item_no) as "itemNos" from payment_confirmation c
        where c.game_id = ${gameId} and c.report_no = ${source.reportNo} and ${isAdded} group by c.run_id order by c.run_id`
  ).execute(db);
  const datedStates = (isOf: RawBuilder<unknown>): RawBuilder<unknown> => sql`coalesce(
    json_agg(json_build_object('state', c.state, 'occurredOn', c.occurred_on::text)) filter (where ${isOf}), '[]')`;
  const changes = new Map<number, PaymentChange[]>();
  for (const { runId, itemNos } of touched) {
    const { rows } = await sql<PaymentChange>`
      select i.amount_usd::text as amount_usd, said.before, said.added, said.fee_usd::text as fee_usd,
        case when b.method = 'elsewhere' and b.handed_over_at is not null then b.execution_date::text end as "elsewhereOn",
        ${'batchNo' in source}::boolean as "isElsewhereAdded"
      from payout_item i left join payout_batch b on b.game_id = ${gameId} and b.batch_no = i.batch_no
        cross join lateral (
          select ${datedStates(sql`not (${isAdded})`)} as before, ${datedStates(isAdded)} as added, sum(c.fee_usd) filter (where ${isAdded}) as fee_usd
          from payment_confirmation c where c.game_id = ${gameId} and c.run_id = i.run_id and c.item_no = i.item_no) said
      where i.game_id = ${gameId} and i.run_id = ${runId} and i.item_no = any(${itemNos}::int[]) and not ${isReplaced(gameId)} order by i.item_no`.execute(
      db,
    );
    changes.set(runId, rows);
  }
  return changes;
}

/** What a posting was recorded with in the audit: exact USD by kind of transfer, and its day, which those of before don't have. */
export interface AuditedPosting {
  journalNo: string;
  exact_usd: Record<string, string>;
  postedOn: string | null;
}

/** Lists what each posting of a game was recorded with in the audit. */
export async function listPostedInAudit(db: Db, gameId: number): Promise<AuditedPosting[]> {
  const { rows } = await sql<AuditedPosting>`
    select detail ->> 'journal_no' as "journalNo", detail -> 'exact_usd' as exact_usd, detail ->> 'posted_on' as "postedOn" from audit
    where game_id = ${gameId} and act = ${POSTED_ACT}`.execute(db);
  return rows;
}

/** How the audit names a posting. */
export const POSTED_ACT = 'posted journal of payout run';

/** Of each run with payments, what its payments are by their states, and what its journals have posted of payments and returns. USD, exact. */
export async function listPaidByRun(db: Db, gameId: number): Promise<{ runNo: number; paid_usd: string; posted_usd: string }[]> {
  const { rows } = await sql<{ runNo: number; paid_usd: string; posted_usd: string }>`
    select run.run_no as "runNo", items.usd::text as paid_usd, posted.usd::text as posted_usd
    from payout_run run
      cross join lateral (select coalesce(sum(i.amount_usd), 0.00) as usd from payout_item i
        where i.game_id = ${gameId} and i.run_id = run.run_id and i.state = 'paid') items
      cross join lateral (select coalesce(sum(case t.kind when 'items_paid' then t.exact_usd when 'items_returned' then -t.exact_usd end), 0.00) as usd
        from journal_entry e join journal_transfer t on t.game_id = ${gameId} and t.entry_no = e.entry_no
        where e.game_id = ${gameId} and e.run_id = run.run_id and e.kind in ('payments', 'returns')) posted
    where run.game_id = ${gameId} and run.approved_at is not null order by run.run_no`.execute(db);
  return rows;
}
