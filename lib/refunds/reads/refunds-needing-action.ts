import { type RawBuilder, sql } from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import { type Db, nestedInstant, nestedMoney } from '#db/kit/open.ts';
import { ELSEWHERE_OUTCOMES } from '#lib/webhooks/rules/delivery.ts';
import type { Refund } from '../rules/refund.ts';
import { OPEN_STATES, PERSON_STATES, stateOf } from '../rules/state.ts';
import { pauseOf, type RefundPause, reshapePause } from './refund-preconditions.ts';

/** Why a refund needs a person. */
type ActionReason = 'approval' | 'two_people' | 'not_shown' | 'reversal_missing' | 'no_access';

// A subquery, so that it is read from the receipt once and not once for every slice it is compared with.
const REFUNDED_AT = sql`(select (refund.receipt ->> 'refunded_at')::timestamptz)`;

/**
 * Why a refund needs a person, or null. It awaits approval; it needs two people; two people recorded it as refunded, and an hour later the
 * period still doesn't show it; a slice covers the refund and has no reversal of it (after a minute for matching); or Invo denied access at
 * the last call or reading.
 */
export function actionReason(gameId: number): RawBuilder<ActionReason | null> {
  return sql<ActionReason | null>`(case
  when refund.state = 'awaiting_approval' then 'approval'
  when refund.state = 'attention' then 'two_people'
  when refund.state = 'landed' and refund.receipt is null and refund.ended_at < clock_now() - interval '1 hour' then 'not_shown'
  when refund.state = 'landed' and refund.reversal_slice_id is null and jsonb_typeof(refund.facts -> 'period' -> 'attribution') = 'object'
    and exists (
      select from slice where slice.game_id = ${gameId} and slice.pulled_at < clock_now() - interval '1 minute'
        and ${REFUNDED_AT} >= slice.window_start and ${REFUNDED_AT} < slice.window_end
    ) then 'reversal_missing'
  when refund.state in ('approved', 'waiting', 'verifying') and refund.last_error_code in ('unauthorized', 'not_live') then 'no_access'
  when refund.state in ('waiting', 'unknown') and (
      select class from refund_attempt tried where tried.game_id = ${gameId} and tried.refund_id = refund.refund_id order by attempt_no desc limit 1
    ) = 'no_access' then 'no_access'
end)`;
}

/** Whether a refund needs a person; the first condition is that of the index `refund_needing_action`. */
export function needsAction(gameId: number): RawBuilder<boolean> {
  return sql<boolean>`((refund.ended_at is null or refund.state = 'landed' and refund.reversal_slice_id is null) and ${actionReason(gameId)} is not null)`;
}

/** A refund that only a person can move on. */
export interface RefundNeedingAction extends Pick<Refund, 'state' | 'amount_usd' | 'period_id' | 'period_seq'> {
  refund_id: number;
  item_name: string | null;
  requested_by: { id: string; name: string };
  assignee_name: string;
  reason: ActionReason;
  /** Since when it has been in this state. */
  state_since: string;
  /** The first of two people has recorded an outcome. */
  has_statement: boolean;
}

function needingAction(db: Db, gameId: number, limit: number) {
  return db
    .selectFrom('refund')
    .innerJoin('person as requester', 'requester.id', 'refund.requested_by')
    .innerJoin('person as assignee', 'assignee.id', 'refund.assignee_id')
    .where('refund.game_id', '=', gameId)
    .where(needsAction(gameId))
    .orderBy('refund.state_since')
    .orderBy('refund.refund_id')
    .limit(limit)
    .select((select) => [
      'refund.refund_id',
      'refund.state',
      nestedMoney('refund.amount_usd').as('amount_usd'),
      sql<string | null>`refund.facts -> 'period' ->> 'item_name'`.as('item_name'),
      'refund.period_id',
      'refund.period_seq',
      'refund.requested_by',
      'requester.name as requester_name',
      'assignee.name as assignee_name',
      nestedInstant('refund.state_since').as('state_since'),
      actionReason(gameId).$notNull().as('reason'),
      select
        .exists(
          select
            .selectFrom('refund_decision')
            .where('refund_decision.game_id', '=', gameId)
            .whereRef('refund_decision.refund_id', '=', 'refund.refund_id')
            .where('refund_decision.confirmed_at', 'is', null)
            .where('refund_decision.withdrawn_at', 'is', null),
        )
        .as('has_statement'),
    ]);
}

type NeedingActionRow = Awaited<ReturnType<ReturnType<typeof needingAction>['executeTakeFirstOrThrow']>>;

function reshapeNeedingAction({
  requested_by: id,
  requester_name: name,
  state,
  has_statement,
  ...row
}: NeedingActionRow): RefundNeedingAction {
  return { ...row, state: stateOf(state), requested_by: { id, name }, has_statement: Boolean(has_statement) };
}

/** The refund register of a game, above its table. */
export interface Register {
  /** No refund was requested yet. */
  isEmpty: boolean;
  /** Some refunds advance without a person. */
  isMoving: boolean;
  /** Changes whenever the register shows something else. */
  token: string;
  /** The refunds that need a person, longest waiting first, up to the limit. */
  waiting: RefundNeedingAction[];
  /** null: refunds are sent. */
  pause: RefundPause | null;
  /** Refunds that Invo reported by webhook and that were not made in Sharebook. */
  elsewhereCount: number;
  /** The database's clock when this was read: ages are computed from it. */
  readAt: string;
}

/**
 * Finds what a screen of the register shows above its table, in one statement, with whether to poll on and whether what it shows is old. Screens
 * poll every few seconds, so only open refunds are read one by one: an ended refund changes only when its reversal is matched.
 */
export async function findRegister(db: Db, gameId: number, { waitingMax }: { waitingMax: number }): Promise<Register> {
  const { status, waiting, pause, ...rest } = await db
    .selectNoFrom([
      statusOf(gameId).as('status'),
      jsonArrayFrom(needingAction(db, gameId, waitingMax)).as('waiting'),
      jsonObjectFrom(pauseOf(db, gameId)).as('pause'),
      sql<number>`(select count(*) from delivery_read
        where game_id = ${gameId} and kind = 'refund' and outcome in (${sql.join([...ELSEWHERE_OUTCOMES])}))`.as('elsewhereCount'),
      sql<string>`(select clock_now())`.as('readAt'),
    ])
    .executeTakeFirstOrThrow();
  const { newest, is_moving, token } = status;
  return {
    isEmpty: newest === null,
    isMoving: is_moving,
    token,
    waiting: waiting.map(reshapeNeedingAction),
    pause: reshapePause(pause),
    ...rest,
  };
}

function statusOf(gameId: number): RawBuilder<{ newest: number | null; is_moving: boolean; token: string }> {
  return sql`(
    select json_build_object('newest', newest, 'is_moving', is_moving, 'token', concat(newest, ' ', reversal_seen_at, ' ', open_ones))
    from (select max(refund_id) as newest from refund where game_id = ${gameId}) as a,
      (select max(reversal_seen_at) as reversal_seen_at from refund where game_id = ${gameId}) as b,
      (select coalesce(bool_or(state not in (${sql.join([...PERSON_STATES])})), false) as is_moving,
         md5(string_agg(concat_ws(' ', refund_id, state_since, assignee_id), ',' order by refund_id)) as open_ones
       from refund where game_id = ${gameId} and state in (${sql.join([...OPEN_STATES])})) as c)`;
}
