import { type RawBuilder, sql } from 'kysely';
import { type Db, nestedInstant, nestedMoney } from '#db/kit/open.ts';
import type { Window } from '#lib/core/window.ts';
import { listReturnedItems } from '#lib/payments/reads/item-states.ts';
import { REPLACED_STATES, type ReturnedItem } from '#lib/payments/rules/item-state.ts';
import { type OutcomeCounts, RUN_AMOUNTS, type RunTotals } from '../rules/compose-run.ts';
import { OUTCOMES } from '../rules/decide-line.ts';
import type { EurRate, PayoutPolicy } from '../rules/policy.ts';
import { parseRunState, type RunContent, type RunState } from '../rules/run-content.ts';
import { listHolds } from './holds.ts';
import { listChangedDetails } from './paid-details.ts';
import { isContradicted, newestAnswer, type RunBasis, windowOf } from './run-facts.ts';

/** A person as a run names them. */
interface RunPerson {
  id: string;
  name: string;
  email: string;
}

/** One run without its lines. */
export interface Run extends RunBasis {
  runId: number;
  runNo: number;
  state: RunState;
  /** Counts every change of the run; a form carries it. */
  version: number;
  policyNo: number;
  snapshotDigest: string;
  composedAt: string | null;
  lineCount: number;
  payableCount: number;
  totals: RunTotals;
  /** Hex; null: not composed, or not submitted. */
  draftDigest: string | null;
  contentDigest: string | null;
  /** Hex content digest of the run before; null: the first. */
  previousContentDigest: string | null;
  approvalsWanted: number;
  draftedBy: RunPerson;
  draftedAt: string;
  submittedBy: RunPerson | null;
  submittedAt: string | null;
  rejectedBy: RunPerson | null;
  rejectReason: string | null;
  approvedAt: string | null;
  voidRequestedBy: RunPerson | null;
  voidReason: string | null;
  voidedBy: RunPerson | null;
  voidedAt: string | null;
  /** The rate that a person typed; null: none. */
  eurRate: EurRate | null;
  /** When the last of its payments was in a file, and when none was open any more; null: some is. */
  exportedAt: string | null;
  paidAt: string | null;
  closedBy: RunPerson | null;
  closedAt: string | null;
  approvals: { by: RunPerson; at: string }[];
  /** Whether a run that isn't voided opens with what this one carried forward. */
  isFollowed: boolean;
  /** Whether one of its payment files was handed over, or a payment recorded as paid elsewhere: it can't be voided. */
  isHandedOver: boolean;
  /** Whether it has a payment file that wasn't cancelled. */
  hasFiles: boolean;
  /** Whether one person recorded payments of it as paid elsewhere and a second one hasn't decided. */
  hasProposals: boolean;
  /** How many of its payments are paid; null: it isn't approved. */
  paidSoFar: { paid: number; count: number } | null;
}

const person = (column: string): RawBuilder<RunPerson | null> =>
  sql`(select json_build_object('id', p.id, 'name', p.name, 'email', p.email) from person p where p.id = ${sql.ref(column)})`;

const TOTALS = sql.join(
  RUN_AMOUNTS.flatMap((amount) => [
    sql.lit(amount),
    amount === 'due' ? sql`(run.payable_usd + run.closing_usd)::text` : nestedMoney(`run.${amount}_usd`),
  ]),
);

/** The runs of a game, each as `run`; further conditions follow. */
const runsOf = (gameId: number): RawBuilder<RunRow> => sql`
  select run.game_id as "gameId", run.run_id as "runId", run.run_no as "runNo", ${windowOf('run')} as "window", run.snapshot_id as "snapshotId",
    run.previous_run_id as "previousRunId", run.policy_no as "policyNo", run.state, run.version, run.composed_at as "composedAt", run.line_count as "lineCount",
    run.payable_count as "payableCount", json_build_object(${TOTALS}) as totals,
    encode(run.draft_digest, 'hex') as "draftDigest", encode(run.content_digest, 'hex') as "contentDigest", run.approvals_wanted as "approvalsWanted",
    run.drafted_at as "draftedAt", run.submitted_at as "submittedAt", run.reject_reason as "rejectReason", run.approved_at as "approvedAt",
    run.void_reason as "voidReason", run.voided_at as "voidedAt", run.exported_at as "exportedAt", run.paid_at as "paidAt", run.closed_at as "closedAt",
    case when run.usd_per_eur is not null then json_build_object('usd_per_eur', ${nestedMoney('run.usd_per_eur')}, 'source', run.eur_rate_source) end as "eurRate",
    ${person('run.drafted_by')} as "draftedBy", ${person('run.submitted_by')} as "submittedBy", ${person('run.rejected_by')} as "rejectedBy",
    ${person('run.void_requested_by')} as "voidRequestedBy", ${person('run.voided_by')} as "voidedBy", ${person('run.closed_by')} as "closedBy",
    (select encode(s.digest, 'hex') from snapshot s where s.game_id = ${gameId} and s.snapshot_id = run.snapshot_id) as "snapshotDigest",
    (select encode(b.content_digest, 'hex') from payout_run b where b.game_id = ${gameId} and b.run_id = run.previous_run_id) as "previousContentDigest",
    (select coalesce(json_agg(json_build_object('by', ${person('a.approved_by')}, 'at', ${nestedInstant('a.approved_at')}) order by a.approved_at), '[]')
      from payout_approval a where a.game_id = ${gameId} and a.run_id = run.run_id and a.content_digest = run.content_digest) as approvals,
    exists (select from payout_run next where next.game_id = ${gameId} and next.previous_run_id = run.run_id and next.state <> 'void') as "isFollowed",
    exists (select from payout_batch batch where batch.game_id = ${gameId} and batch.run_id = run.run_id and batch.handed_over_at is not null) as "isHandedOver",
    exists (select from payout_batch batch where batch.game_id = ${gameId} and batch.run_id = run.run_id and batch.format is not null
      and batch.cancelled_at is null) as "hasFiles",
    exists (select from payout_batch batch where batch.game_id = ${gameId} and batch.run_id = run.run_id and batch.format is null
      and batch.handed_over_at is null and batch.cancelled_at is null) as "hasProposals",
    case when run.state = 'approved' then (
      select json_build_object('paid', count(*) filter (where i.state = 'paid'), 'count', count(*)) from payout_item i
      where i.game_id = ${gameId} and i.run_id = run.run_id and i.state <> all(${[...REPLACED_STATES]}::text[])) end as "paidSoFar"
  from payout_run run where run.game_id = ${gameId}`;

type RunRow = Omit<Run, 'state'> & { state: string };

const reshapeRun = (row: RunRow): Run => ({ ...row, state: parseRunState(row.state) });

/** Names a run within the database. */
export type RunId = Pick<Run, 'gameId' | 'runId'>;

/** Which run is requested: by its id, its number, or the one of a window that is not voided. */
export type RunKey = { runId: number } | { runNo: number } | { window: Window };

/** Finds a run; null: there is none. */
export async function findRun(db: Db, gameId: number, key: RunKey): Promise<Run | null> {
  const { rows } = await sql<RunRow>`${runsOf(gameId)} and ${hasKey(key)}`.execute(db);
  return rows[0] === undefined ? null : reshapeRun(rows[0]);
}

function hasKey(key: RunKey): RawBuilder<boolean> {
  if ('runId' in key) return sql`run.run_id = ${key.runId}`;
  if ('runNo' in key) return sql`run.run_no = ${key.runNo}`;
  return sql`run.state <> 'void' and run.window_start = ${key.window.start} and run.window_end = ${key.window.end}`;
}

/** Finds the approved run that ends where a window begins; null: none does. */
export async function findPreviousRun(db: Db, gameId: number, { start }: Window): Promise<number | null> {
  const run = await db
    .selectFrom('payout_run')
    .select('run_id')
    .where('game_id', '=', gameId)
    .where('state', '=', 'approved')
    .where('window_end', '=', start)
    .executeTakeFirst();
  return run?.run_id ?? null;
}

/** Finds the run of a game that is not approved; null: there is none. A run follows an approved one, so there is one at most. */
export async function findOpenRun(db: Db, gameId: number): Promise<number | null> {
  const run = await db
    .selectFrom('payout_run')
    .select('run_id')
    .where('game_id', '=', gameId)
    .where('state', 'in', ['draft', 'submitted', 'rejected'])
    .limit(1)
    .executeTakeFirst();
  return run?.run_id ?? null;
}

/** Locks a run for the rest of the transaction and reads it; null: there is none. */
export async function lockRun(tx: Db, gameId: number, runId: number): Promise<Run | null> {
  await sql`select 1 from payout_run where game_id = ${gameId} and run_id = ${runId} for update`.execute(tx);
  return await findRun(tx, gameId, { runId });
}

/** Lists the runs of a game, newest month first, voided ones last within a month. */
export async function listRuns(db: Db, gameId: number): Promise<Run[]> {
  const { rows } = await sql<RunRow>`${runsOf(gameId)} order by run.window_start desc, run.state = 'void', run.run_no desc`.execute(db);
  return rows.map(reshapeRun);
}

/** Counts the lines of a run by outcome, in the order of the outcomes. */
export async function countOutcomes(db: Db, gameId: number, runId: number): Promise<OutcomeCounts> {
  const { rows } = await sql<{ outcome: string; count: number; amount_usd: string }>`
    select outcome, count(*) as count, sum(case outcome when 'payable' then payable_usd else due_usd end)::text as amount_usd
    from payout_line where game_id = ${gameId} and run_id = ${runId} group by outcome`.execute(db);
  const found = new Map(rows.map(({ outcome, ...counted }) => [outcome, counted]));
  return Object.fromEntries(OUTCOMES.flatMap((outcome) => (found.has(outcome) ? [[outcome, found.get(outcome)]] : [])));
}

/** A policy with its number. */
export interface NumberedPolicy extends PayoutPolicy {
  policyNo: number;
}

const POLICY_COLUMNS = sql`policy_no as "policyNo", minimum_usd, second_approval_from_usd as "secondApprovalFrom_usd", recheck_hours as "recheckHours",
  change_percent as "changePercent", first_payment_from_usd as "firstPaymentFrom_usd", holds_base_mismatch as "holdsBaseMismatch"`;

const policyInForce = (gameId: number): RawBuilder<NumberedPolicy> => sql`
  select ${POLICY_COLUMNS} from payout_policy where game_id = ${gameId} and withdrawn_at is null and (confirmed_at is not null or proposed_by is null)
  order by confirmed_at desc nulls last, policy_no desc limit 1`;

/** Finds the policy in force; null: the game has set none. */
export async function findPolicy(db: Db, gameId: number): Promise<NumberedPolicy | null> {
  const { rows } = await policyInForce(gameId).execute(db);
  return rows[0] ?? null;
}

/** Finds a policy by its number. Throws when there is none. */
export async function findPolicyNo(db: Db, gameId: number, policyNo: number): Promise<NumberedPolicy> {
  const { rows } = await sql<NumberedPolicy>`
    select ${POLICY_COLUMNS} from payout_policy where game_id = ${gameId} and policy_no = ${policyNo}`.execute(db);
  if (rows[0] === undefined) throw new Error(`game ${gameId} has no policy ${policyNo}`);
  return rows[0];
}

/** Finds the content of a run as it was submitted; null: it isn't submitted. */
export async function findRunContent(db: Db, { gameId, runId }: RunId): Promise<RunContent | null> {
  const { rows } = await sql<{ content: RunContent | null }>`
    select content from payout_run where game_id = ${gameId} and run_id = ${runId}`.execute(db);
  return rows[0]?.content ?? null;
}

/** Lists who worked on a run and how. */
export async function listEditors(db: Db, { gameId, runId }: RunId): Promise<{ personId: string; because: string }[]> {
  const { rows } = await sql<{ personId: string; because: string }>`
    select person_id as "personId", because from payout_editor where game_id = ${gameId} and run_id = ${runId} order by edited_at`.execute(
    db,
  );
  return rows;
}

/** What changed since a run was submitted and makes its content out of date. */
export interface RunChange {
  kind: 'hold_placed' | 'hold_ended' | 'minimum' | 'details' | 'returned' | 'policy' | 'evidence';
  /** null: it is about the run. */
  recipientId: number | null;
}

/**
 * Lists what changed since a run was submitted: a hold placed or ended of a recipient with money due, another minimum, other payment details, other payments that came back, another policy,
 * or evidence of its month that differs: another snapshot, or other totals that Invo's newest answer has.
 */
export async function listChangesSince(db: Db, run: Run, content: RunContent, now: string): Promise<RunChange[]> {
  const { gameId, runId, snapshotId } = run;
  const changes: RunChange[] = [];
  const before = new Set(content.holds.map(({ holdId }) => holdId));
  const holds = await listHolds(db, run, now);
  const nowHeld = new Set(holds.map(({ holdId }) => holdId));
  const moved = [
    ...holds.filter(({ holdId }) => !before.has(holdId)).map(({ recipientId }) => ({ kind: 'hold_placed' as const, recipientId })),
    ...content.holds.filter(({ holdId }) => !nowHeld.has(holdId)).map(({ recipientId }) => ({ kind: 'hold_ended' as const, recipientId })),
  ];
  if (moved.length > 0) {
    const recipientIds = moved.map(({ recipientId }) => recipientId);
    const { rows: due } = await sql<{ id: number }>`
      select recipient_player_id as id from payout_line
      where game_id = ${gameId} and run_id = ${runId} and due_usd > 0 and recipient_player_id = any(${recipientIds}::bigint[])`.execute(db);
    const concerned = new Set(due.map(({ id }) => id));
    changes.push(...moved.filter(({ recipientId }) => concerned.has(recipientId)));
  }
  const { rows: minimums } = await sql<{ recipientId: number }>`
    select line.recipient_player_id as "recipientId" from payout_line line
      join lateral (select minimum_usd from payout_minimum m where m.game_id = ${gameId} and m.recipient_player_id = line.recipient_player_id
        order by minimum_no desc limit 1) own on true
    where line.game_id = ${gameId} and line.run_id = ${runId} and coalesce(own.minimum_usd, ${content.policy.minimum_usd}) <> line.minimum_usd
    order by line.recipient_player_id`.execute(db);
  changes.push(...minimums.map(({ recipientId }) => ({ kind: 'minimum' as const, recipientId })));
  const changed = await listChangedDetails(db, { gameId, runId });
  changes.push(...changed.map((recipientId) => ({ kind: 'details' as const, recipientId })));
  const returned = await listReturnedItems(db, run);
  changes.push(...differingRecipients(content.returned ?? [], returned).map((recipientId) => ({ kind: 'returned' as const, recipientId })));
  const { rows: facts } = await sql<{ policyNo: number | null; isEvidenceChanged: boolean }>`
    select (select policy."policyNo" from (${policyInForce(gameId)}) policy) as "policyNo",
      ${isContradicted(gameId, 'ours')} or coalesce(${newestAnswer(gameId, 'ours')} #>> '{recheck,isEqual}' = 'false', false) as "isEvidenceChanged"
    from snapshot ours where ours.game_id = ${gameId} and ours.snapshot_id = ${snapshotId}`.execute(db);
  for (const { policyNo, isEvidenceChanged } of facts) {
    if (policyNo !== null && policyNo !== content.policy.policyNo) changes.push({ kind: 'policy', recipientId: null });
    if (isEvidenceChanged) changes.push({ kind: 'evidence', recipientId: null });
  }
  return changes;
}

/** The recipients of payments that one of two lists lacks, in order. */
function differingRecipients(before: readonly ReturnedItem[], now: readonly ReturnedItem[]): number[] {
  const key = ({ runNo, itemNo }: ReturnedItem): string => `${runNo} ${itemNo}`;
  const lacks = (items: readonly ReturnedItem[]): ((item: ReturnedItem) => boolean) => {
    const keys = new Set(items.map(key));
    return (item) => !keys.has(key(item));
  };
  const differing = [...before.filter(lacks(now)), ...now.filter(lacks(before))].map(({ recipientId }) => recipientId);
  return [...new Set(differing)].toSorted((one, other) => one - other);
}
