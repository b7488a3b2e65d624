import { type RawBuilder, sql } from 'kysely';
import { countChanges, type Db, inTransaction } from '#db/kit/open.ts';
import { wakeWorker } from '#db/kit/wake.ts';
import type { Grant } from '../reads/find-grant.ts';
import type { GrantState } from '../rules/action-state.ts';
import { ACTION_ACTS } from '../rules/audit-acts.ts';
import { STATUS_AGAIN_MS } from '../rules/settling-times.ts';
import { type ActionDecision, recordActionAudit } from './action-rows.ts';

/**
 * Commits the request to a phone before the call; an earlier grant of the start is replaced, because Invo replaces it too. A start waits for no phone once an
 * approval of it was sent that may have moved its coins.
 */
export async function insertGrant(
  db: Db,
  { gameId, actionId, actor, flow }: ActionDecision & { flow: string },
): Promise<{ grantId: number } | 'moved_on' | 'approved_before'> {
  return inTransaction(db, async (tx) => {
    const { rows: starts } = await sql<{
      transaction_id: string;
    }>`select coalesce(result->>'transaction_id', facts->'request'->>'transaction_id') as transaction_id
      from desk_action where game_id = ${gameId} and action_id = ${actionId}
        and (state = 'with_player' and result->>'transaction_id' is not null or state = 'approved' and kind = 'receipt')
        and not exists (select from desk_action step where step.game_id = ${gameId} and step.parent_id = ${actionId}
          and step.kind in ('send_approve', 'transfer_approve') and step.state <> 'refused')
      for update`.execute(tx);
    const [start] = starts;
    if (start === undefined) return 'moved_on';
    await sql`update device_grant set state = 'replaced', sealed_code = null, next_poll_at = null
      where game_id = ${gameId} and action_id = ${actionId} 
        and (state in ('started', 'waiting', 'enrolling') or state = 'approved' and expires_at <= clock_now())`.execute(tx);
    const { rows } = await sql<{ grantId: number }>`insert into device_grant (game_id, action_id, transaction_id, flow, requested_by)
      values (${gameId}, ${actionId}, ${start.transaction_id}, ${flow}, ${actor.id}) on conflict do nothing returning grant_id as "grantId"`.execute(
      tx,
    );
    if (rows[0] !== undefined) await recordActionAudit(tx, { gameId, actionId }, actor.email, ACTION_ACTS.requestedPhone);
    return rows[0] ?? 'approved_before';
  });
}

/** What a call of Invo changes of a grant. Fields left out stay as they are. */
export interface GrantChange {
  state: GrantState;
  sealedCode?: Buffer;
  interval_s?: number;
  /** From now. */
  nextPollIn_s?: number;
  expiresIn_s?: number;
  approvedAt?: string | null;
}

/** Stores Invo's answer about a grant that isn't over. False: it was replaced or ended meanwhile. */
export async function updateGrant(db: Db, gameId: number, { grantId }: Pick<Grant, 'grantId'>, change: GrantChange): Promise<boolean> {
  const isOver = !['started', 'waiting', 'enrolling', 'approved'].includes(change.state);
  const sets: RawBuilder<unknown>[] = [sql`state = ${change.state}`];
  if (isOver) sets.push(sql`sealed_code = null`, sql`next_poll_at = null`);
  if (change.sealedCode !== undefined) sets.push(sql`sealed_code = ${change.sealedCode}`);
  if (change.interval_s !== undefined) sets.push(sql`interval_s = ${change.interval_s}`);
  if (change.nextPollIn_s !== undefined) sets.push(sql`next_poll_at = clock_now() + make_interval(secs => ${change.nextPollIn_s})`);
  if (change.expiresIn_s !== undefined) sets.push(sql`expires_at = clock_now() + make_interval(secs => ${change.expiresIn_s})`);
  if (change.approvedAt !== undefined) sets.push(sql`approved_at = ${change.approvedAt}::timestamptz`, sql`next_poll_at = null`);
  const changed = await countChanges(
    db,
    sql`update device_grant set ${sql.join(sets)} where game_id = ${gameId} and grant_id = ${grantId} and state in ('started', 'waiting', 'enrolling')`,
  );
  return changed === 1;
}

/** How long the process that took a poll has for it; if it dies, another polls this much later. */
const POLL_TAKES_S = 20;

/** Takes the next poll of a grant when it is due: one process polls, and never sooner than Invo allows. False: it isn't due, or another process polls. */
export async function takePoll(db: Db, gameId: number, { grantId, interval_s }: Pick<Grant, 'grantId' | 'interval_s'>): Promise<boolean> {
  const changed = await countChanges(
    db,
    sql`update device_grant set next_poll_at = clock_now() + make_interval(secs => ${pollInterval(interval_s) + POLL_TAKES_S})
      where game_id = ${gameId} and grant_id = ${grantId} and state in ('waiting', 'enrolling') and next_poll_at <= clock_now()
        and interval_s is not distinct from ${interval_s}`,
  );
  return changed === 1;
}

/** Seconds between two polls that Invo takes (document 3, Device grant); null: it stated none. */
const pollInterval = (interval_s: number | null): number => Math.max(interval_s ?? POLL_INTERVAL_MIN_S, POLL_INTERVAL_MIN_S);
const POLL_INTERVAL_MIN_S = 5;

/**
 * What a webhook about an approval on a phone means: a poll that nobody answered for comes at the next moment that Invo takes one, sooner than a process that
 * may have died would be given up. It settles nothing. `transactionId` null: the webhook named none, so any grant may be the one (document 3, Events).
 */
export async function followPhoneApproval(db: Db, gameId: number, transactionId: string | null): Promise<void> {
  await inTransaction(db, async (tx) => {
    // Read under a lock, and then set by ID: a distributed database computes no instant from a row that it changes.
    const { rows } = await sql<{ grantId: number; pollAt: string }>`
      select grant_id as "grantId", greatest(clock_now(), next_poll_at - make_interval(secs => ${POLL_TAKES_S})) as "pollAt" from device_grant
      where game_id = ${gameId} and state in ('waiting', 'enrolling') and transaction_id = coalesce(${transactionId}, transaction_id)
        and next_poll_at > clock_now() + make_interval(secs => greatest(coalesce(interval_s, ${POLL_INTERVAL_MIN_S}), ${POLL_INTERVAL_MIN_S}))
      order by grant_id for update`.execute(tx);
    for (const { grantId, pollAt } of rows)
      await sql`update device_grant set next_poll_at = ${pollAt} where game_id = ${gameId} and grant_id = ${grantId}`.execute(tx);
  });
}

/** Takes the next reading of a guardian's answer: one process reads, and not within five seconds of another (document 3, Guardian approval). */
export async function takeGuardianReading(db: Db, { gameId, actionId }: Pick<ActionDecision, 'gameId' | 'actionId'>): Promise<boolean> {
  const changed = await countChanges(
    db,
    sql`update desk_action set next_look_at = clock_now() + make_interval(secs => ${STATUS_AGAIN_MS / 1_000})
      where game_id = ${gameId} and action_id = ${actionId} and state = 'with_player' and waits_for = 'guardian'
        and next_look_at <= clock_now() + make_interval(secs => ${STATUS_AGAIN_MS / 1_000 - 5})`,
  );
  const dueAt = sql`clock_now() + make_interval(secs => ${STATUS_AGAIN_MS / 1_000})`;
  if (changed === 1) await wakeWorker(db, { queue: 'actions', gameId, id: actionId, dueAt });
  return changed === 1;
}

/** Ends the grant of an action whose code was used, and removes the code. */
export async function endGrant(db: Db, gameId: number, { actionId }: Pick<Grant, 'actionId'>): Promise<void> {
  await sql`update device_grant set state = 'replaced', sealed_code = null, next_poll_at = null
    where game_id = ${gameId} and action_id = ${actionId} and state = 'approved'`.execute(db);
}
