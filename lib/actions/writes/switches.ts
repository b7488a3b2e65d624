import { sql } from 'kysely';
import { lockGame } from '#db/kit/lease.ts';
import { countChanges, type Db, inTransaction } from '#db/kit/open.ts';
import { mayApproveNow, mayNow, mayPrepareNow } from '#lib/approvals/reads.ts';
import type { AuditAct } from '#lib/audit/rules/acts.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { findSendFlow, isSwitchedOn } from '../reads/action-controls.ts';
import type { MilestoneEvent, SwitchedGroup } from '../rules/kinds.ts';

/** A person changing what all desk actions of a game depend on. */
interface Control {
  gameId: number;
  actor: { id: string; email: string };
}

export interface SwitchChange extends Control {
  group: SwitchedGroup;
}

/** Turns a group off at once, and ends a request to turn it on; an attempt that is being sent still ends. False when it is off already, or they may not. */
export async function recordOff(db: Db, change: SwitchChange): Promise<boolean> {
  const { gameId, group, actor } = change;
  return await recordSwitch(
    db,
    change,
    'turned off desk actions',
    sql`insert into action_switch (game_id, action_group, is_on, set_by)
      select ${gameId}::int, ${group}, false, person.id from person
      where person.id = ${actor.id} and ${mayNow('person', 'people.manage')} and (${isSwitchedOn(gameId, group)} or exists (
        select from action_switch asked where asked.game_id = ${gameId} and asked.action_group = ${group} and asked.on_requested_by is not null))
      on conflict (game_id, action_group) do update
        set is_on = false, set_by = excluded.set_by, set_at = excluded.set_at, on_requested_by = null, on_requested_at = null
      returning action_group`,
  );
}

/** Turns a group of a sandbox game on, which needs no second person. False when it is on already, or they may not. */
export async function recordOnAlone(db: Db, change: SwitchChange): Promise<boolean> {
  const { gameId, group, actor } = change;
  return await recordSwitch(
    db,
    change,
    'turned on desk actions',
    sql`insert into action_switch (game_id, action_group, is_on, set_by)
      select ${gameId}::int, ${group}, true, person.id from person join game on game.game_id = ${gameId} and game.environment = 'sandbox'
      where person.id = ${actor.id} and ${mayNow('person', 'people.manage')} and not ${isSwitchedOn(gameId, group)}
      on conflict (game_id, action_group) do update
        set is_on = true, set_by = excluded.set_by, set_at = excluded.set_at, on_requested_by = null, on_requested_at = null
      returning action_group`,
  );
}

/** Requests that a group is turned on; a second person confirms it. An earlier request is replaced. False when it is on already, or they may not. */
export async function recordOnRequest(db: Db, change: SwitchChange): Promise<boolean> {
  const { gameId, group, actor } = change;
  return await recordSwitch(
    db,
    change,
    'asked to turn on desk actions',
    sql`insert into action_switch (game_id, action_group, is_on, on_requested_by, on_requested_at)
      select ${gameId}::int, ${group}, false, person.id, clock_now() from person
      where person.id = ${actor.id} and ${mayPrepareNow('person', 'people.manage')} and not ${isSwitchedOn(gameId, group)}
      on conflict (game_id, action_group) do update
        set on_requested_by = excluded.on_requested_by, on_requested_at = excluded.on_requested_at where not action_switch.is_on
      returning action_group`,
  );
}

export interface SwitchDecision extends SwitchChange {
  /** ID of the admin whose request they saw. */
  requestedBy: string;
}

/** A second person turns a group on as it was requested. False when the request is another one by now, or they may not. */
export async function recordOnApproval(db: Db, decision: SwitchDecision): Promise<boolean> {
  const { gameId, group, actor, requestedBy } = decision;
  return await recordSwitch(
    db,
    decision,
    'turned on desk actions',
    sql`update action_switch switch set is_on = true, set_by = second.id, set_at = clock_now(), on_requested_by = null, on_requested_at = null
      from person second, person first
      where switch.game_id = ${gameId} and switch.action_group = ${group} and not switch.is_on and switch.on_requested_by = ${requestedBy}
        and first.id = switch.on_requested_by and second.id = ${actor.id} and ${mayApproveNow('second', 'first', 'actions.approve')}`,
  );
}

/** Ends a request to turn a group on: its admin withdraws it, an approver rejects it. False when there is none, or they may not. */
export async function recordOnDeclined(db: Db, decision: SwitchDecision): Promise<boolean> {
  const { gameId, group, actor, requestedBy } = decision;
  return await recordSwitch(
    db,
    decision,
    'declined to turn on desk actions',
    sql`update action_switch switch set on_requested_by = null, on_requested_at = null from person
      where switch.game_id = ${gameId} and switch.action_group = ${group} and switch.on_requested_by = ${requestedBy} and person.id = ${actor.id}
        and (person.id = switch.on_requested_by and ${mayNow('person', 'people.manage')} or ${mayPrepareNow('person', 'actions.approve')})`,
  );
}

async function recordSwitch(
  db: Db,
  { gameId, group, actor, ...decision }: SwitchChange & { requestedBy?: string },
  act: AuditAct,
  statement: Parameters<typeof countChanges>[1],
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    // Waits for attempts that are being committed: none is committed after its group is off.
    await lockGame(tx, gameId, ['sends'], 'exclusive');
    const isStored = (await countChanges(tx, statement)) === 1;
    if (isStored) {
      const asker =
        decision.requestedBy === undefined
          ? []
          : await tx.selectFrom('person').select('email').where('id', '=', decision.requestedBy).execute();
      const detail = { group, ...(asker[0] ? { asked_by: asker[0].email } : {}) };
      await recordAudit(tx, { gameId, actor: actor.email, act, subject: 'desk actions', detail });
    }
    return isStored;
  });
}

/** Sets Invo's word for a send that a phone approves. False when it is that already, or they may not. */
export async function recordSendFlow(db: Db, { gameId, actor, word }: Control & { word: string }): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    await lockGame(tx, gameId, ['sends'], 'exclusive');
    const before = await findSendFlow(tx, gameId);
    if (before === word) return false;
    const rowCount = await countChanges(
      tx,
      sql`insert into action_setting (game_id, send_flow, set_by)
        select ${gameId}::int, ${word}, person.id from person where person.id = ${actor.id} and ${mayNow('person', 'people.manage')}
        on conflict (game_id) do update set send_flow = excluded.send_flow, set_by = excluded.set_by, set_at = excluded.set_at
        returning send_flow`,
    );
    const detail = { word, before };
    if (rowCount === 1)
      await recordAudit(tx, { gameId, actor: actor.email, act: 'set the word for sends', subject: 'desk actions', detail });
    return rowCount === 1;
  });
}

interface MilestoneChange extends Control {
  eventType: MilestoneEvent;
  name: string;
}

/** Adds the name of a milestone. False when it is there already, or they may not. */
export async function insertMilestone(
  db: Db,
  { gameId, actor, eventType, name, label }: MilestoneChange & { label: string },
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const rowCount = await countChanges(
      tx,
      sql`insert into milestone_name (game_id, event_type, name, label, added_by)
        select ${gameId}::int, ${eventType}, ${name}, ${label}, person.id from person where person.id = ${actor.id} and ${mayNow('person', 'people.manage')}
        on conflict do nothing returning name`,
    );
    const detail = { event_type: eventType, milestone: name, label };
    if (rowCount === 1) await recordAudit(tx, { gameId, actor: actor.email, act: 'added a milestone', subject: 'desk actions', detail });
    return rowCount === 1;
  });
}

/** Removes the name of a milestone. False when it is gone already, or they may not. */
export async function deleteMilestone(db: Db, { gameId, actor, eventType, name }: MilestoneChange): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const rowCount = await countChanges(
      tx,
      sql`delete from milestone_name where game_id = ${gameId} and event_type = ${eventType} and name = ${name}
        and exists (select from person where person.id = ${actor.id} and ${mayNow('person', 'people.manage')})`,
    );
    const detail = { event_type: eventType, milestone: name };
    if (rowCount === 1) await recordAudit(tx, { gameId, actor: actor.email, act: 'removed a milestone', subject: 'desk actions', detail });
    return rowCount === 1;
  });
}
