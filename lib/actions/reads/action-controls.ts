import { type RawBuilder, sql } from 'kysely';
import { type Db, nestedInstant } from '#db/kit/open.ts';
import { isNotPaused, limitsOf, PAUSE_VERSION } from '#lib/approvals/reads.ts';
import { LIMITED_KEYS, type Limited, type SetLimits } from '#lib/approvals/rules/approval.ts';
import type { ActionFacts } from '../rules/action-facts.ts';
import { type ActionGroup, isOnByDefault, type MilestoneEvent, SWITCHED_GROUPS, type SwitchedGroup } from '../rules/kinds.ts';

/** Whether a group of desk actions is on in a game now. */
export function isSwitchedOn(gameId: number, group: SwitchedGroup): RawBuilder<boolean> {
  const isOn = isOnByDefault(group, 'production');
  return sql<boolean>`coalesce((select is_on from action_switch switch where switch.game_id = ${gameId} and switch.action_group = ${group}),
    ${sql.lit(isOn)} or exists (select from game where game.game_id = ${gameId} and game.environment = 'sandbox'))`;
}

/** Whether the kinds of a group may be requested and sent in a game now: sandbox tools have no switch, and exist in games of the sandbox only. */
export function isGroupOn(gameId: number, group: ActionGroup): RawBuilder<boolean> {
  return group === 'sandbox'
    ? sql<boolean>`exists (select from game where game.game_id = ${gameId} and game.environment = 'sandbox')`
    : isSwitchedOn(gameId, group);
}

/** Finds whether a group of desk actions is on in a game now, and whether all of them are paused. */
export async function findGroupNow(db: Db, gameId: number, group: SwitchedGroup): Promise<{ isOn: boolean; isSending: boolean }> {
  const now = [isSwitchedOn(gameId, group).as('isOn'), isNotPaused(gameId, 'desk actions').as('isSending')] as const;
  return await db.selectNoFrom(now).executeTakeFirstOrThrow();
}

/** Finds whether a group of desk actions is on in a game now. */
export async function isOnNow(db: Db, gameId: number, group: SwitchedGroup): Promise<boolean> {
  return (await db.selectNoFrom(isSwitchedOn(gameId, group).as('isOn')).executeTakeFirstOrThrow()).isOn;
}

/** Whether an admin added the name that a milestone is requested with. */
export async function isMilestoneAdded(db: Db, gameId: number, { event_type, name }: ActionFacts['request']): Promise<boolean> {
  const { rows } =
    await sql`select from milestone_name where game_id = ${gameId} and event_type = ${event_type} and name = ${name}`.execute(db);
  return rows.length === 1;
}

/** A switch of a group. */
export interface ActionSwitch {
  group: SwitchedGroup;
  isOn: boolean;
  /** Who set it, and when; null: the default of the environment. */
  set: { byName: string; at: string } | null;
  /** The admin who requests to turn it on; null: nobody does. */
  request: { by: string; byName: string; at: string } | null;
}

/** A pause of all desk actions of a game. */
export interface ActionPause {
  /** What resuming is bound to: this pause and who requested to resume it. */
  version: string;
  why: string;
  /** null: Sharebook, because the database was restored. */
  pausedByName: string | null;
  pausedAt: string;
  /** The first person who requested the resumption; null: nobody yet. */
  resumeRequestedBy: { id: string; name: string } | null;
}

/** The name of a milestone, as it is registered with Invo and as people call it. */
export interface MilestoneName {
  eventType: MilestoneEvent;
  name: string;
  label: string;
  addedByName: string;
}

/** What all desk actions of a game depend on. */
interface ActionControls {
  /** In the order of `SWITCHED_GROUPS`. */
  switches: ActionSwitch[];
  /** null: actions are sent. */
  pause: ActionPause | null;
  limits: Record<Limited, SetLimits>;
  /** By label. */
  milestones: MilestoneName[];
  /** Invo's word for a send that a phone approves. */
  sendFlow: string;
}

/** The open pause of a game's desk actions, as one value; null: they are sent. */
export function openPauseOf(gameId: number): RawBuilder<ActionPause | null> {
  return sql<ActionPause | null>`(select json_build_object('version', ${PAUSE_VERSION}, 'why', why, 'pausedByName', pauser.name, 'pausedAt', ${nestedInstant('paused_at')},
        'resumeRequestedBy', case when asker.id is not null then json_build_object('id', asker.id, 'name', asker.name) end)
      from action_pause pause left join person pauser on pauser.id = paused_by left join person asker on asker.id = resume_requested_by
      where pause.game_id = ${gameId} and resumed_at is null)`;
}

/** Invo's word for a send that a phone approves. Document 3 names none (Device grant): `send` is tried until an admin sets another. */
function sendFlowOf(gameId: number): RawBuilder<string> {
  return sql<string>`coalesce((select send_flow from action_setting where game_id = ${gameId}), 'send')`;
}

/** Finds Invo's word for a send that a phone approves. */
export async function findSendFlow(db: Db, gameId: number): Promise<string> {
  const { rows } = await sql<{ flow: string }>`select ${sendFlowOf(gameId)} as flow`.execute(db);
  return rows[0]?.flow ?? 'send';
}

/** Finds what all desk actions of a game depend on, in one statement. */
export async function findActionControls(
  db: Db,
  { gameId, environment }: { gameId: number; environment: string },
): Promise<ActionControls> {
  const limits = LIMITED_KEYS.map((what) => sql`${sql.lit(what)}, ${limitsOf(what, gameId)}`);
  const { rows } = await sql<ActionControls>`select
    (select coalesce(json_agg(json_build_object('group', action_group, 'isOn', is_on,
        'set', case when setter.id is not null then json_build_object('byName', setter.name, 'at', ${nestedInstant('set_at')}) end,
        'request', case when asker.id is not null then json_build_object('by', asker.id, 'byName', asker.name, 'at', ${nestedInstant('on_requested_at')}) end)), '[]')
      from action_switch switch left join person setter on setter.id = set_by left join person asker on asker.id = on_requested_by
      where switch.game_id = ${gameId}) as switches,
    ${openPauseOf(gameId)} as pause,
    (select coalesce(json_agg(json_build_object('eventType', event_type, 'name', milestone.name, 'label', label, 'addedByName', person.name)
        order by label, milestone.name, event_type), '[]')
      from milestone_name milestone join person on person.id = added_by where milestone.game_id = ${gameId}) as milestones,
    ${sendFlowOf(gameId)} as "sendFlow",
    json_build_object(${sql.join(limits)}) as limits`.execute(db);
  const [found] = rows;
  if (found === undefined) throw new Error('a select without a table found no row');
  const switches = SWITCHED_GROUPS.map(
    (group): ActionSwitch =>
      found.switches.find((each) => each.group === group) ?? { group, isOn: isOnByDefault(group, environment), set: null, request: null },
  );
  return { ...found, switches };
}
