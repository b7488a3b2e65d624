import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type Db, nestedInstant } from '#db/kit/open.ts';
import { isNotPaused } from '#lib/approvals/reads.ts';
import { parseEnum } from '#lib/core/strings.ts';
import { type ActionState, stateOf, type Waiting } from '../rules/action-state.ts';
import { ACTION_KINDS, type ActionKind, SWITCHED_GROUPS, type SwitchedGroup } from '../rules/kinds.ts';
import type { PhoneAnswer } from '../rules/seen-grants.ts';
import { LINK_ENDS_MS, PRESS_SILENT_MS } from '../rules/settling-times.ts';
import { isSwitchedOn } from './action-controls.ts';

/** An open desk action, as the page of its player or order shows it. The checks of the table guarantee kind and state. */
export interface OpenAction {
  actionId: number;
  kind: ActionKind;
  state: ActionState;
  waiting: Waiting;
  /** The house account whose new phone it answers; null: another action, or a player’s phone. */
  houseLabel: string | null;
  /** When Sharebook continues with it by itself; null: it doesn't. */
  continuesAt: string | null;
  /** null: not yet. */
  approvedAt: string | null;
  firstSentAt: string | null;
}

/** The open desk actions of a player, or about an order, the newest first, as one value of the statement that reads the page. */
export function openActionsOf(
  gameId: number,
  about: { playerId: number } | { orderId: string } | { transactionId: string },
): RawBuilder<OpenAction[]> {
  const subject =
    'transactionId' in about
      ? sql<SqlBool>`action.subject = any(${TRANSFER_SUBJECTS.map((what) => `${what} ${about.transactionId}`)})`
      : 'orderId' in about
        ? sql<SqlBool>`action.order_id = ${about.orderId}`
        : sql<SqlBool>`action.player_id = ${about.playerId}`;
  return sql<
    OpenAction[]
  >`(select coalesce(json_agg(json_build_object('actionId', action.action_id, 'kind', action.kind, 'state', action.state,
      'waiting', ${waitingOf(gameId, 'action')}, 'continuesAt', ${nestedInstant('action.next_look_at')},
      'approvedAt', ${nestedInstant('action.approved_at')}, 'firstSentAt', ${nestedInstant('action.first_sent_at')},
      'houseLabel', case when action.kind = 'phone_enrolment' then ${houseLabelOf(gameId, 'action')} end) order by action.action_id desc), '[]')
    from desk_action action where action.game_id = ${gameId} and ${subject} and action.ended_at is null)`;
}

/** What a desk action waits for beside its state, of a row by its alias, as one value. */
export function waitingOf(gameId: number, action: string): RawBuilder<Waiting> {
  const column = (name: string): RawBuilder<unknown> => sql.ref(`${action}.${name}`);
  return sql<Waiting>`json_build_object('for', coalesce(${column('waits_for')},
      case when ${column('state')} = 'approved' and ${column('result')} ->> 'waits_for' = 'owner' then 'owner' end),
    'errorCode', ${column('last_error_code')},
    'link', case when ${column('kind')} = 'payment_link' and ${column('state')} = 'done' then
      case when ${column('paid_order_id')} is not null then 'paid' when ${linkEndOf(action)} > clock_now() then 'open' else 'over' end end,
    'hasTransaction', ${column('result')} ->> 'transaction_id' is not null,
    'phone', case when ${column('state')} = 'with_player' or ${column('kind')} = 'receipt' and ${column('state')} = 'approved' then
      json_build_object('answer', ${phoneAnswerOf(gameId, action)}, 'isMoving', ${isMoving(gameId, action)}, 'isOver', ${isWindowOver(action)}) end)`;
}

/**
 * Whether a start waits for the press of a person: its window is open, no approval was sent, and its phone has no code that it may still approve by. Answers of
 * a phone are read only while a person looks, so none is awaited longer than its code is valid.
 */
export function isWaitingForPress(gameId: number, action: string): RawBuilder<boolean> {
  const waits = sql`${sql.ref(`${action}.state`)} = 'with_player' and ${sql.ref(`${action}.waits_for`)} = 'phone'`;
  return sql<boolean>`(${waits} and not ${hasValidCode(gameId, action)} and not ${isMoving(gameId, action)} and not ${isWindowOver(action)})`;
}

/** Whether the newest request to a phone is on its way to Invo, or its code is valid and unanswered. */
function hasValidCode(gameId: number, action: string): RawBuilder<boolean> {
  const isRequested = sql`phone.state = 'started' and phone.requested_at > clock_now() - make_interval(secs => ${sql.lit(PRESS_SILENT_MS / 1_000)})`;
  return sql<boolean>`coalesce((select ${isRequested} or phone.state = 'waiting' and phone.expires_at > clock_now() from device_grant phone
    where phone.game_id = ${gameId} and phone.action_id = ${sql.ref(`${action}.action_id`)} order by phone.grant_id desc limit 1), false)`;
}

/** What a phone answered to the newest request; NULL: nothing was requested of it. */
function phoneAnswerOf(gameId: number, action: string): RawBuilder<string | null> {
  return sql`(select phone.state from device_grant phone where phone.game_id = ${gameId} and phone.action_id = ${sql.ref(`${action}.action_id`)}
    order by phone.grant_id desc limit 1)`;
}

/** The same as `mayHaveMoved`. */
function isMoving(gameId: number, action: string): RawBuilder<boolean> {
  return sql`exists (select from desk_action step where step.game_id = ${gameId} and step.parent_id = ${sql.ref(`${action}.action_id`)}
    and step.kind in ('send_approve', 'transfer_approve') and step.state <> 'refused')`;
}

function isWindowOver(action: string): RawBuilder<boolean> {
  const column = (name: string): RawBuilder<unknown> => sql.ref(`${action}.${name}`);
  const isOfPhone = sql`(${column('waits_for')} = 'guardian' or ${column('result')} ->> 'waits_for' is distinct from 'guardian')`;
  return sql`coalesce(${column('waits_until')} <= clock_now() and ${isOfPhone}, false)`;
}

/** What people call the house account of an action; of one that was removed and added again, the newest. NULL: none is involved. */
export function houseLabelOf(gameId: number, action: string): RawBuilder<string | null> {
  return sql`(select house.label from house_account house where house.game_id = ${gameId}
    and house.player_id::text = ${sql.ref(`${action}.facts`)} -> 'request' ->> 'house_player_id' order by house.house_account_id desc limit 1)`;
}

/** Until when a payment link may be paid, by the clock of the database; NULL: it was never sent. */
export function linkEndOf(action: string): RawBuilder<string | null> {
  return sql`${sql.ref(`${action}.last_sent_at`)} + make_interval(secs => ${sql.lit(LINK_ENDS_MS / 1_000)})`;
}

/** What the subjects of actions about one transfer begin with. */
const TRANSFER_SUBJECTS = ['collect', 'approve'] as const;

/** What the page of a transfer shows of desk actions. */
export interface TransferDesk {
  openActions: OpenAction[];
  /** Whether actions on transfers are turned on. */
  isOn: boolean;
  /** Whether a send of this desk made it: Invo shows no route to collect one. */
  isSend: boolean;
  /** Whether all desk actions of the game are paused. */
  isPaused: boolean;
}

/** Finds what the page of a transfer shows of desk actions. */
export async function findTransferDesk(db: Db, gameId: number, transactionId: string): Promise<TransferDesk> {
  return await db
    .selectNoFrom([
      openActionsOf(gameId, { transactionId }).as('openActions'),
      isSwitchedOn(gameId, 'transfers').as('isOn'),
      sql<boolean>`exists (select from desk_action where game_id = ${gameId} and kind = 'send_approve' and transaction_id = ${transactionId})`.as(
        'isSend',
      ),
      isPaused(gameId).as('isPaused'),
    ])
    .executeTakeFirstOrThrow();
}

function isPaused(gameId: number): RawBuilder<boolean> {
  return sql<boolean>`not ${isNotPaused(gameId, 'desk actions')}`;
}

/** What the page of a player shows of desk actions: none is on while all are paused. */
export interface PlayerDesk {
  openActions: OpenAction[];
  isPaused: boolean;
  /** Whether each group is turned on. */
  isOn: Record<SwitchedGroup, boolean>;
}

/** What the page of a player shows of desk actions, as one value. */
export function playerDeskOf(gameId: number, playerId: number): RawBuilder<PlayerDesk> {
  const isOn = SWITCHED_GROUPS.flatMap((group) => [sql.lit(group), sql`(${isSwitchedOn(gameId, group)} and not desk.is_paused)`]);
  return sql<PlayerDesk>`(select json_build_object('openActions', ${openActionsOf(gameId, { playerId })}, 'isPaused', desk.is_paused, 'isOn', json_build_object(${sql.join(isOn)}))
    from (select ${isPaused(gameId)} as is_paused) desk)`;
}

/** The steps of a start, the newest first. */
export async function listSteps(
  db: Db,
  gameId: number,
  actionId: number,
): Promise<{ actionId: number; kind: ActionKind; state: ActionState; requestedAt: string; answers: PhoneAnswer['answers'] | null }[]> {
  const { rows } = await sql<{
    actionId: number;
    kind: string;
    state: string;
    requestedAt: string;
    answers: PhoneAnswer['answers'] | null;
  }>`select action_id as "actionId", kind, state, requested_at as "requestedAt", case when kind = 'phone_enrolment' then
      json_build_object('grantId', facts -> 'request' -> 'grant_id', 'decision', facts -> 'request' ->> 'decision') end as answers
    from desk_action where game_id = ${gameId} and parent_id = ${actionId} order by action_id desc`.execute(db);
  return rows.map((row) => ({ ...row, kind: parseEnum(ACTION_KINDS, row.kind), state: stateOf(row.state) }));
}

/** A desk action as a search finds it. */
export interface FoundAction {
  kind: 'desk_action';
  actionId: number;
  actionKind: ActionKind;
  playerId: number | null;
  state: ActionState;
}

/** The desk action that Invo knows by this reference: its idempotency key, or the ID of its event. None or one. */
export async function listActionsOf(db: Db, gameId: number, reference: string): Promise<FoundAction[]> {
  const rows = await db
    .selectFrom('desk_action')
    .where('game_id', '=', gameId)
    .where('reference', '=', reference)
    .select(['action_id as actionId', 'kind', 'player_id as playerId', 'state'])
    .execute();
  return rows.map(({ kind, state, ...row }) => ({
    ...row,
    kind: 'desk_action',
    actionKind: parseEnum(ACTION_KINDS, kind),
    state: stateOf(state),
  }));
}
