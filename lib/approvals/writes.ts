import { sql } from 'kysely';
import { lockGame } from '#db/kit/lease.ts';
import { countChanges, type Db, inTransaction } from '#db/kit/open.ts';
import { wakeOverdue } from '#db/kit/wake.ts';
import type { AuditAct } from '#lib/audit/rules/acts.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import type { LimitNoticeKind } from '#lib/notices/rules/notice-kinds.ts';
import { insertRightsNotice } from '#lib/notices/writes.ts';
import { countsNow, findLimits, mayApproveNow, mayNow, mayPrepareNow, PAUSE_VERSION } from './reads.ts';
import {
  dayLimitNamed,
  isSecondPerson,
  LIMITED,
  type Limited,
  type LimitName,
  limitNamed,
  PAUSABLES,
  type Pausable,
  type Resumed,
  type ResumeRefusal,
} from './rules/approval.ts';
import { formatLimit, formatLimitName } from './text.ts';

/** A person changing what all refunds, payouts or desk actions of a game depend on. */
interface Control {
  gameId: number;
  actor: { id: string; email: string };
}

/** Pauses refunds or desk actions of a game at once; a call already sent still ends. False when they are paused already. */
export async function recordPause(
  db: Db,
  { gameId, actor, what, why }: Control & { what: Exclude<Pausable, 'payouts'>; why: string },
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    // Waits for attempts that are being committed: none is committed after the pause.
    await lockGame(tx, gameId, ['sends'], 'exclusive');
    const rowCount = await countChanges(
      tx,
      sql`insert into ${sql.table(PAUSABLES[what].table)} (game_id, paused_by, why) values (${gameId}, ${actor.id}, ${why}) on conflict do nothing`,
    );
    if (rowCount === 1) await recordAudit(tx, { gameId, actor: actor.email, act: `paused ${what}`, subject: what, detail: { why } });
    return rowCount === 1;
  });
}

export interface ResumeRequest extends Control {
  what: Pausable;
  /** The pause with its request to resume, as the person saw them. */
  version: string;
}

/** What a feature does when the second person resumes after a restore. */
export interface AfterRestore<Blocker> {
  /** Why it can't be resumed yet; null: it can. */
  findBlocker(tx: Db, gameId: number, restoreNo: number): Promise<Blocker | null>;
  finish(tx: Db, gameId: number, restoreNo: number): Promise<void>;
}

/**
 * Resumes what is paused: the first person requests it, a second one resumes it. A requester whose account no longer counts is replaced by the
 * next one.
 */
export async function recordResume<Blocker = never>(
  db: Db,
  { gameId, actor, what, version }: ResumeRequest,
  afterRestore?: AfterRestore<Blocker>,
): Promise<{ ok: true; is: Resumed } | { ok: false; reason: ResumeRefusal | Blocker }> {
  const { capability } = PAUSABLES[what];
  const table = sql.table(PAUSABLES[what].table);
  return inTransaction(db, async (tx) => {
    const { rows } = await sql<{ pause_no: number; version: string; first: string | null; restore_no: number | null }>`
      select pause_no, ${PAUSE_VERSION} as version, restore_no,
        (select id from person where person.id = resume_requested_by and ${countsNow('person')}) as first
      from ${table} where game_id = ${gameId} and resumed_at is null for update`.execute(tx);
    const [pause] = rows;
    if (pause === undefined) return { ok: false, reason: 'not_paused' };
    const { first, pause_no: pauseNo, restore_no: restoreNo } = pause;
    if (first !== null && !isSecondPerson(first, actor.id)) return { ok: false, reason: 'same_person' };
    if (pause.version !== version) return { ok: false, reason: 'not_as_shown' };
    const ends = first !== null && restoreNo !== null;
    const blocker = ends ? await afterRestore?.findBlocker(tx, gameId, restoreNo) : null;
    if (blocker) return { ok: false, reason: blocker };
    const rowCount = await countChanges(
      tx,
      first === null
        ? sql`update ${table} set resume_requested_by = person.id from person
            where game_id = ${gameId} and pause_no = ${pauseNo} and person.id = ${actor.id} and ${mayPrepareNow('person', capability)}`
        : sql`update ${table} set resumed_by = second.id, resumed_at = clock_now() from person second, person first
            where game_id = ${gameId} and pause_no = ${pauseNo} and first.id = resume_requested_by and second.id = ${actor.id}
              and ${mayApproveNow('second', 'first', capability)}`,
    );
    if (rowCount !== 1) return { ok: false, reason: 'not_allowed' };
    if (ends) await afterRestore?.finish(tx, gameId, restoreNo);
    if (first !== null) await wakeOverdue(tx, gameId);
    await recordAudit(tx, {
      gameId,
      actor: actor.email,
      act: first === null ? `asked to resume ${what}` : `resumed ${what}`,
      subject: what,
    });
    return { ok: true, is: first === null ? 'resume_requested' : 'resumed' };
  });
}

export interface LimitChange extends Control {
  what: Limited;
  name: LimitName;
  /** In the unit of what is limited. */
  amount: string;
}

/**
 * Sets a limit. A lower one applies at once; a higher one when a second person approves it. A raise that was requested before is replaced. Null when
 * the person no longer manages settings, or their account doesn't count.
 */
export async function recordLimit(db: Db, change: LimitChange): Promise<'applies' | 'waits' | null> {
  const { gameId, what, name, actor, amount } = change;
  const { table, limit, raise } = columnsOf(what);
  return inTransaction(db, async (tx) => {
    // The requester is locked, so that their right holds for all of it or for nothing: a refusal stores no default.
    const asker = await sql`select from person where id = ${actor.id} and ${mayPrepareNow('person', 'people.manage')} for share`.execute(
      tx,
    );
    if (asker.rows.length === 0) return null;
    // A limit for 24 hours that isn't set follows the one for a request: what applies now is what a raise is measured by.
    await lockGame(tx, gameId, ['sends'], 'exclusive');
    await insertLimit(tx, change, name, limitNamed(what, name, await findLimits(tx, what, gameId)));
    const { rows } = await sql<{ is_raise: boolean }>`select ${amount}::numeric > ${limit} as is_raise from ${table}
      where game_id = ${gameId} and name = ${storedName(change)} for update`.execute(tx);
    const isRaise = rows[0]?.is_raise === true;
    const set = isRaise
      ? sql`${raise} = ${amount}::numeric, raise_by = ${actor.id}, raise_at = clock_now()`
      : sql`${limit} = ${amount}::numeric, ${raise} = null, raise_by = null, raise_at = null`;
    const stored = await countChanges(
      tx,
      sql`update ${table} limited set ${set}, set_by = person.email, set_at = clock_now()
       from person where limited.game_id = ${gameId} and limited.name = ${storedName(change)} and person.id = ${actor.id} and ${mayPrepareNow('person', 'people.manage')}`,
    );
    if (stored === 0) return null;
    await auditLimit(tx, change, isRaise ? 'asked to raise an auto-approval limit' : 'changed an auto-approval limit');
    await announceLimit(tx, change, isRaise ? 'limit_requested' : 'limit_changed');
    return isRaise ? 'waits' : 'applies';
  });
}

/**
 * A second person approves a higher limit, which then applies. A limit for 24 hours that followed it stays at what it is. False when it is another one
 * by now, or they may not approve it.
 */
export async function recordRaise(db: Db, change: LimitChange): Promise<boolean> {
  const { gameId, what, name, actor, amount } = change;
  const { table, limit, raise } = columnsOf(what);
  return inTransaction(db, async (tx) => {
    await lockGame(tx, gameId, ['sends'], 'exclusive');
    const before = await findLimits(tx, what, gameId);
    const rowCount = await countChanges(
      tx,
      sql`update ${table} limited set ${limit} = ${raise}, set_at = clock_now(), ${raise} = null, raise_by = null, raise_at = null
       from person second, person first
       where game_id = ${gameId} and limited.name = ${storedName(change)} and ${raise} = ${amount}
         and first.id = raise_by and second.id = ${actor.id} and ${mayApproveNow('second', 'first', LIMITED[what].approve)}`,
    );
    if (rowCount !== 1) return false;
    const day = dayLimitNamed(name);
    const dayAmount = limitNamed(what, day, before);
    const isPinned = await insertLimit(tx, change, day, dayAmount);
    await auditLimit(
      tx,
      change,
      'approved a higher auto-approval limit',
      isPinned ? { unchanged_limit: factsOf(what, day, dayAmount) } : {},
    );
    await announceLimit(tx, change, 'limit_changed');
    return true;
  });
}

/** Ends a raise that waits: who requested it withdraws it, an approver whose account counts rejects it. False when there is none, or they may not. */
export async function recordRaiseDeclined(db: Db, change: LimitChange): Promise<boolean> {
  const { gameId, what, actor, amount } = change;
  const { table, raise } = columnsOf(what);
  return inTransaction(db, async (tx) => {
    const rowCount = await countChanges(
      tx,
      sql`update ${table} limited set ${raise} = null, raise_by = null, raise_at = null from person
       where game_id = ${gameId} and limited.name = ${storedName(change)} and ${raise} = ${amount}
         and person.id = ${actor.id} and (person.id = raise_by and ${mayNow('person', 'people.manage')} or ${mayPrepareNow('person', LIMITED[what].approve)})`,
    );
    if (rowCount === 1) await auditLimit(tx, change, 'declined a higher auto-approval limit');
    return rowCount === 1;
  });
}

function columnsOf(what: Limited) {
  const { table, amount, raise } = LIMITED[what];
  return { table: sql.table(table), limit: sql.ref(amount), raise: sql.ref(raise) };
}

/** Stores a limit as it applies, unless it is set; whether it wasn't. */
async function insertLimit(tx: Db, { gameId, actor, what }: LimitChange, name: LimitName, amount: string): Promise<boolean> {
  const { table, limit } = columnsOf(what);
  const values = sql`(${gameId}, ${storedName({ what, name })}, ${amount}, ${actor.email})`;
  return (
    (await countChanges(tx, sql`insert into ${table} (game_id, name, ${limit}, set_by) values ${values} on conflict do nothing`)) === 1
  );
}

/** What a limit is called in its table and in the audit. */
function storedName({ what, name }: Pick<LimitChange, 'what' | 'name'>): string {
  return `${LIMITED[what].prefix}${name}`;
}

function factsOf(what: Limited, name: LimitName, amount: string): Record<string, string> {
  return { name: storedName({ what, name }), [`limit_${LIMITED[what].unit}`]: amount };
}

async function auditLimit(tx: Db, { gameId, actor, what, name, amount }: LimitChange, act: AuditAct, more: object = {}): Promise<void> {
  const detail = { ...factsOf(what, name, amount), ...more };
  await recordAudit(tx, { gameId, actor: actor.email, act, subject: LIMITED[what].subject, detail });
}

async function announceLimit(tx: Db, { gameId, what, name, actor, amount }: LimitChange, kind: LimitNoticeKind): Promise<void> {
  const label = formatLimitName(what, name);
  const limit = LIMITED[what].unit === 'usd' ? { about: label, amount_usd: amount } : { about: `${label}: ${formatLimit(what, amount)}` };
  await insertRightsNotice(tx, { gameId, kind, actorId: actor.id, ...limit });
}
