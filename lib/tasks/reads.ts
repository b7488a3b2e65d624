import { type RawBuilder, sql } from 'kysely';
import { type Db, readUnlessAway } from '#db/kit/open.ts';
import { isWaitingForPress } from '#lib/actions/reads/open-actions.ts';
import { parseEnum } from '#lib/core/strings.ts';
import type { Window } from '#lib/core/window.ts';
import { isMonthOf } from '#lib/evidence/reads/months.ts';
import { type Pace, paceOf } from '#lib/evidence/reads/snapshot-days.ts';
import { lastVerification, type Verification } from '#lib/exceptions/reads.ts';
import { waitingSums } from '#lib/payments/reads/waiting-items.ts';
import type { ItemState } from '#lib/payments/rules/item-state.ts';
import { type WaitingPayout, waitingFor } from '#lib/payouts/reads/waiting-payouts.ts';
import { actionReason, needsAction } from '#lib/refunds/reads/refunds-needing-action.ts';
import { ATTENTION_STATES } from '#lib/webhooks/rules/delivery.ts';
import { TASK_KINDS, TASKS, type Task, type TaskList } from './rules/task.ts';

/** Whose tasks, and of which game. */
interface TasksOf {
  gameId: number;
  timeZone: string;
  personId: string;
  /** The instant it is by the game’s clock: it decides which months are over. */
  now: string;
  /** The tasks that badges count, which every page reads, or all of them, for the first pages. */
  scope: 'badges' | 'all';
}

/** Days without an answer after which a payment that was handed over is a task. */
const NO_ANSWER_DAYS = 10;

interface StoredTask extends Omit<Task, 'kind'> {
  kind: string;
  readAt: string;
}

/**
 * Lists what waits for a person in a game, and counts their unread notices of all games, in one statement: the badges of every page and the first
 * pages show its rows. While the server of another game is away, it reads again without notices. The rights of the person are the caller's to check.
 */
export async function listTasks(db: Db, of: TasksOf): Promise<TaskList> {
  const unread = sql`count(*)::int, 0, null, null, null, null, null, clock_now() from notice_delivery where person_id = ${of.personId} and seen_at is null`;
  const unknown = sql`null::int, 0, null, null, null, null, null, clock_now()`;
  return await readUnlessAway(
    async () => await readTasks(db, of, unread),
    async () => await readTasks(db, of, unknown),
  );
}

/** What was read; null while the server of its game is away. */
export async function noneIfAway<Read>(read: Promise<Read>): Promise<Read | null> {
  return await readUnlessAway(
    async () => await read,
    async () => null,
  );
}

async function readTasks(db: Db, of: TasksOf, unreadCount: RawBuilder<unknown>): Promise<TaskList> {
  const counted = [decisions(of), refunds(of), actions(of), deliveries(of), pauses(of)];
  const others = [otherDecisions(of), settings(of), payments(of), months(of), unknownRefunds(of), transfers(of)];
  const arms = sql.join(of.scope === 'badges' ? counted : [...counted, ...others], sql` union all `);
  const { rows } = await sql<StoredTask>`
    select kind, count(*)::int as count, count(*) filter (where is_own)::int as "ownCount", sum(amount_usd) as amount_usd, min(since) as since,
      (array_agg(run_no order by since, item_id))[1] as "runNo", (array_agg(window_start order by since, item_id))[1] as "windowStart",
      (array_agg(item_id order by since, item_id))[1] as "itemId", clock_now() as "readAt"
    from (${arms}) as item (kind, run_no, window_start, amount_usd, since, item_id, is_own) group by kind
    union all
    select 'unread', ${unreadCount}`.execute(db);
  const unread = rows.find(({ kind }) => kind === 'unread');
  if (unread === undefined) throw new Error('a count without a condition found no row');
  return {
    tasks: rows
      .filter((row) => row !== unread)
      .map(({ readAt: _, ...row }) => reshapeTask(row))
      .toSorted((one, other) => TASK_KINDS.indexOf(one.kind) - TASK_KINDS.indexOf(other.kind)),
    unreadCount: unread.count,
    readAt: unread.readAt,
  };
}

function reshapeTask(row: Omit<StoredTask, 'readAt'>): Task {
  const kind = parseEnum(TASK_KINDS, row.kind);
  // Everything that “Waiting for you” lists is a task.
  const facts = (TASKS satisfies Readonly<Record<WaitingPayout['kind'], object>>)[kind];
  return { ...row, kind, amount_usd: facts.hasSum ? row.amount_usd : null };
}

/** What other people proposed, as “Waiting for you” lists it. */
function decisions({ gameId, personId }: TasksOf): RawBuilder<unknown> {
  return sql`
    select kind, run_no, window_start, amount_usd, since, case kind when 'details' then recipient_id else id end, false from (${waitingFor(gameId, personId)}) as waiting`;
}

/** Runs in review that this person can't approve. */
function otherDecisions({ gameId, personId }: TasksOf): RawBuilder<unknown> {
  return sql`
    select 'approve_other', run.run_no, run.window_start, run.payable_usd, run.submitted_at, run.run_id, false from payout_run run
    where run.game_id = ${gameId} and run.state = 'submitted' and (
      exists (select from payout_editor e where e.game_id = ${gameId} and e.run_id = run.run_id and e.person_id = ${personId})
      or exists (select from payout_approval a where a.game_id = ${gameId} and a.run_id = run.run_id and a.content_digest = run.content_digest
        and a.approved_by = ${personId}))`;
}

/** Settings that other people requested and that a second person confirms: a policy, limits, switches and house accounts of the game, and roles, which are of no game. */
function settings({ gameId, personId }: TasksOf): RawBuilder<unknown> {
  return sql`
    select 'policy', null, null, null, proposed_at, policy_no, false from payout_policy
    where game_id = ${gameId} and proposed_by <> ${personId} and confirmed_by is null and withdrawn_at is null
    union all
    select 'limit', null, null, null, raise_at, null, false from refund_limit where game_id = ${gameId} and raise_by <> ${personId}
    union all
    select 'limit', null, null, null, raise_at, null, false from action_limit where game_id = ${gameId} and raise_by <> ${personId}
    union all
    select 'switch', null, null, null, on_requested_at, null, false from action_switch where game_id = ${gameId} and on_requested_by <> ${personId}
    union all
    select 'house_account', null, null, null, requested_at, null, false from house_account
    where game_id = ${gameId} and requested_by <> ${personId} and confirmed_at is null and removed_at is null
    union all
    select 'roles', null, null, null, roles_requested_at, null, false from person
    where disabled_at is null and roles_requested_by <> ${personId} and id <> ${personId}`;
}

/** Transfers, as they were last read, that a player can't collect a day from now. */
function transfers({ gameId, now }: TasksOf): RawBuilder<unknown> {
  return sql`
    select 'transfer_ending', null, null, null, read_at, null, false from known_transfer
    where game_id = ${gameId} and claim_expires_at > ${now}::timestamptz and claim_expires_at <= ${now}::timestamptz + interval '1 day'
      and coalesce(verification_state, '') not in ('completed', 'expired', 'failed')`;
}

/**
 * What the payments of approved runs need next. A run that is paid has no payment on its way. A sandbox game has no files, and while a void of a run is requested nobody
 * creates or uploads its files.
 */
function payments({ gameId }: TasksOf): RawBuilder<unknown> {
  return sql`
    select 'payment_back', run.run_no, run.window_start, i.amount_usd, coalesce(reported.since, run.approved_at), i.item_no, false
    from payout_item i join payout_run run on run.game_id = ${gameId} and run.run_id = i.run_id
      left join lateral (select max(c.confirmed_at) as since from payment_confirmation c
        where c.game_id = ${gameId} and c.run_id = i.run_id and c.item_no = i.item_no) reported on true
    where i.game_id = ${gameId} and i.state in ('failed', 'returned')
    union all
    select 'no_answer', run.run_no, run.window_start, i.amount_usd, b.handed_over_at, i.item_no, false
    from payout_run run join payout_batch b on b.game_id = ${gameId} and b.run_id = run.run_id
      join payout_item i on i.game_id = ${gameId} and i.batch_no = b.batch_no
    where run.game_id = ${gameId} and run.state = 'approved' and run.paid_at is null
      and b.handed_over_at < clock_now() - make_interval(days => ${NO_ANSWER_DAYS}) and i.state in ('sent', 'pending')
    union all
    select case when open."entersFile" then 'make_files' else 'no_file' end, run.run_no, run.window_start, open.amount_usd, run.approved_at, run.run_id, false
    from payout_run run join game on game.game_id = ${gameId} and game.environment = 'production' join lateral ${waitingSums(gameId)} open on true
    where run.game_id = ${gameId} and run.state = 'approved' and run.exported_at is null and run.void_requested_by is null
    union all
    select 'hand_over', run.run_no, run.window_start, b.total_usd, b.made_at, b.batch_no, false
    from payout_batch b join payout_run run on run.game_id = ${gameId} and run.run_id = b.run_id
    where b.game_id = ${gameId} and b.format is not null and b.handed_over_at is null and b.cancelled_at is null and b.cancel_requested_at is null
      and run.state = 'approved' and run.void_requested_by is null`;
}

/** What months need next: the run that can start, drafts, evidence that isn't whole, and figures that changed after their run was approved. */
function months({ gameId, timeZone, personId, now }: TasksOf): RawBuilder<unknown> {
  const complete = (table: string): RawBuilder<boolean> =>
    sql`${sql.ref(`${table}.status`)} = 'complete' and ${isMonthOf(table, timeZone)}`;
  // Whether there is any run depends on no row here: on a cluster a step of its own, whose result needs a column.
  return sql`
    select 'start_run', null::int, w.window_start, s.net_attributed_usd, w.window_end, null::bigint, false
    from current_window w join snapshot s on s.game_id = ${gameId} and s.snapshot_id = w.snapshot_id
    where w.game_id = ${gameId} and ${complete('w')}
      and not exists (select from payout_run run where run.game_id = ${gameId} and run.window_start = w.window_start and run.state <> 'void')
      and case when exists (select 1 from payout_run run where run.game_id = ${gameId} and run.state <> 'void')
        then exists (select from payout_run run where run.game_id = ${gameId} and run.window_end = w.window_start and run.state = 'approved')
        else w.window_start = (select max(newest.window_start) from current_window newest where newest.game_id = ${gameId} and ${complete('newest')}) end
    union all
    select 'draft', run.run_no, run.window_start, run.payable_usd, run.drafted_at, run.run_id, false from payout_run run
    where run.game_id = ${gameId} and run.state in ('draft', 'rejected') and run.submitted_by is distinct from ${personId}
    union all
    select 'month_incomplete', null, w.window_start, null, w.window_end, null, false from current_window w
    where w.game_id = ${gameId} and (w.status <> 'complete' and w.window_end <= ${now} or w.newer_snapshot_id is not null) and ${isMonthOf('w', timeZone)}
    union all
    select 'month_changed', run.run_no, run.window_start, null, s.created_at, null, false
    from payout_run run join current_window w on w.game_id = ${gameId} and w.window_start = run.window_start and w.window_end = run.window_end
      join snapshot_drift d on d.game_id = ${gameId} and d.snapshot_id = w.snapshot_id
      join snapshot s on s.game_id = ${gameId} and s.snapshot_id = w.snapshot_id
    where run.game_id = ${gameId} and run.state = 'approved' and s.created_at > run.approved_at
      and not exists (select from payout_run next where next.game_id = ${gameId} and next.previous_run_id = run.run_id and next.state <> 'void')`;
}

function refunds({ gameId, personId }: TasksOf): RawBuilder<unknown> {
  return sql`
    select case ${actionReason(gameId)} when 'approval' then case when refund.requested_by = ${personId} then 'refund_approval_other' else 'refund_approval' end
        when 'two_people' then 'refund_outcome' else 'refund_check' end,
      null, null, refund.amount_usd, refund.state_since, refund.refund_id, refund.assignee_id = ${personId}
    from refund where refund.game_id = ${gameId} and ${needsAction(gameId)}`;
}

/** Refunds whose outcome Sharebook is still finding out. */
function unknownRefunds({ gameId, personId }: TasksOf): RawBuilder<unknown> {
  return sql`
    select 'refund_unknown', null, null, refund.amount_usd, refund.state_since, refund.refund_id, refund.assignee_id = ${personId}
    from refund where refund.game_id = ${gameId} and refund.state in ('unknown', 'verifying') and not ${needsAction(gameId)}`;
}

/** Desk actions that wait for an outcome, an approval, or the press of their requester: at first, or while no phone can answer. */
function actions({ gameId, personId }: TasksOf): RawBuilder<unknown> {
  return sql`
    select case state when 'attention' then 'action_outcome' when 'approved' then 'action_send' when 'with_player' then 'action_phone'
        else case when requested_by = ${personId} then 'action_approval_other' else 'action_approval' end end,
      null, null, null, state_since, action_id, requested_by = ${personId}
    from desk_action where game_id = ${gameId} and ended_at is null
      and (state in ('attention', 'awaiting_approval')
        or requested_by = ${personId} and (state = 'approved' and repeats <> 'worker' or ${isWaitingForPress(gameId, 'desk_action')}))`;
}

function deliveries({ gameId }: TasksOf): RawBuilder<unknown> {
  return sql`
    select 'delivery', null, null, null, delivery.received_at, delivery.delivery_id, false from delivery
    where delivery.game_id = ${gameId} and delivery.settled_at is null and delivery.state in (${sql.join([...ATTENTION_STATES])})`;
}

function pauses({ gameId }: TasksOf): RawBuilder<unknown> {
  return sql`
    select 'payouts_paused', null, null, null, paused_at, pause_no, false from payout_pause where game_id = ${gameId} and resumed_at is null
    union all
    select 'refunds_paused', null, null, null, paused_at, pause_no, false from refund_pause where game_id = ${gameId} and resumed_at is null
    union all
    select 'actions_paused', null, null, null, paused_at, pause_no, false from action_pause where game_id = ${gameId} and resumed_at is null`;
}

/** What the run of a month pays and what became of it, in USD; a figure that doesn't exist yet is null. */
export interface RunPayments {
  runNo: number;
  due_usd: string;
  payable_usd: string;
  closing_usd: string;
  /** Handed over, and not known to be paid or to have come back; null: the run isn't approved. */
  sent_usd: string | null;
  paid_usd: string | null;
  /** Failed or returned. */
  back_usd: string | null;
}

/** Finds how the open month compares with the same days of the one before, what became of the run of that one, and what `verify` found last, in one statement. */
export async function findOverview(
  db: Db,
  { gameId, timeZone }: Pick<TasksOf, 'gameId' | 'timeZone'>,
  { current, before }: { current: Window; before: Window },
): Promise<{ pace: Pace | null; run: RunPayments | null; verification: Verification | null }> {
  const sumOf = (...states: ItemState[]): RawBuilder<string> =>
    sql`case when run.state = 'approved' then coalesce(sum(i.amount_usd) filter (where i.state in (${sql.join(states)})), 0.00) end::text`;
  const run = sql<RunPayments | null>`(
    select json_build_object('runNo', run.run_no, 'due_usd', (run.payable_usd + run.closing_usd)::text, 'payable_usd', run.payable_usd::text,
      'closing_usd', run.closing_usd::text, 'sent_usd', ${sumOf('sent', 'pending')}, 'paid_usd', ${sumOf('paid')},
      'back_usd', ${sumOf('failed', 'returned', 'to_balance')})
    from payout_run run left join payout_item i on i.game_id = ${gameId} and i.run_id = run.run_id
    where run.game_id = ${gameId} and run.state <> 'void' and run.window_start = ${before.start} and run.window_end = ${before.end}
    group by run.game_id, run.run_id)`;
  const pace = paceOf({ gameId, timeZone }, { current, before });
  return await db.selectNoFrom([pace.as('pace'), run.as('run'), lastVerification(gameId).as('verification')]).executeTakeFirstOrThrow();
}
