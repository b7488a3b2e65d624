import { type RawBuilder, sql } from 'kysely';
import { nextNumber } from '#db/kit/next-number.ts';
import type { Db } from '#db/kit/open.ts';
import { mayApproveNow } from '#lib/approvals/reads.ts';
import { hasFirstRun, isStranded } from '../reads/run-facts.ts';
import type { NewAdjustment, PayoutPolicy } from '../rules/policy.ts';
import type { RunActor } from './run-states.ts';

/** A hold as a person enters it. */
export interface NewHold {
  recipientId: number;
  /** The settled period it is about, with what is attributed for it; null: the recipient. */
  period: { periodId: number; attributed_usd: string } | null;
  /** USD held at most; null: everything due. */
  amount_usd: string | null;
  /** The run the recipient is excluded from; null: it holds until it is released or expires. */
  onlyRunId: number | null;
  reason: string;
  note: string;
  expiresAt: string | null;
}

/** Stores a hold. */
export async function insertHold(tx: Db, gameId: number, actor: RunActor, hold: NewHold): Promise<void> {
  await tx
    .insertInto('payout_hold')
    .values({
      game_id: gameId,
      recipient_player_id: hold.recipientId,
      period_id: hold.period?.periodId ?? null,
      attributed_usd: hold.period?.attributed_usd ?? null,
      amount_usd: hold.amount_usd,
      only_run_id: hold.onlyRunId,
      reason_code: hold.reason,
      note: hold.note,
      assigned_to: actor.id,
      placed_by: actor.id,
      expires_at: hold.expiresAt,
    })
    .execute();
}

/** Releases a hold; null: it is released already. Otherwise the recipient it held. */
export async function releaseHoldRow(
  tx: Db,
  { gameId, holdId }: { gameId: number; holdId: number },
  actor: RunActor,
  note: string,
): Promise<{ recipientId: number } | null> {
  const released = await tx
    .updateTable('payout_hold')
    .set({ released_by: actor.id, released_at: sql<string>`clock_now()`, release_note: note })
    .where('game_id', '=', gameId)
    .where('hold_id', '=', holdId)
    .where('released_at', 'is', null)
    .returning('recipient_player_id as recipientId')
    .executeTakeFirst();
  return released ?? null;
}

/** Stores the minimum of a recipient; null: the policy's again. */
export async function insertMinimum(
  tx: Db,
  { gameId, recipientId, minimum_usd }: { gameId: number; recipientId: number; minimum_usd: string | null },
  actor: RunActor,
): Promise<void> {
  const ofRecipient = sql<boolean>`game_id = ${gameId} and recipient_player_id = ${recipientId}`;
  const minimumNo = await nextNumber(tx, 'payout_minimum', 'minimum_no', ofRecipient);
  await sql`
    insert into payout_minimum (game_id, recipient_player_id, minimum_no, minimum_usd, set_by)
    values (${gameId}, ${recipientId}, ${minimumNo}, ${minimum_usd}, ${actor.id})`.execute(tx);
}

/** Stores an adjustment that waits for a second person, and returns its id; null: it belongs to the first run, which is in review or approved. */
export async function insertAdjustment(tx: Db, gameId: number, actor: RunActor, adjustment: NewAdjustment): Promise<number | null> {
  const { recipientId, amount_usd, kind, reason, correctsRunId, correctsPeriodId, pairId } = adjustment;
  if (kind === 'brought_forward' && (await tx.selectNoFrom(hasFirstRun(gameId).as('now')).executeTakeFirstOrThrow()).now) return null;
  const { rows } = await sql<{ adjustment_id: number }>`
    insert into payout_adjustment (game_id, recipient_player_id, amount_usd, kind, reason, corrects_run_id, corrects_period_id, pair_id, proposed_by)
    values (${gameId}, ${recipientId}, ${amount_usd}, ${kind}, ${reason}, ${correctsRunId}, ${correctsPeriodId}, ${pairId}, ${actor.id})
    returning adjustment_id`.execute(tx);
  return rows[0]?.adjustment_id ?? null;
}

/** Draws the id that both halves of a transfer share. */
export async function drawPairId(tx: Db): Promise<number> {
  const { id } = await tx
    .selectNoFrom(sql<number>`nextval(pg_get_serial_sequence('payout_adjustment', 'adjustment_id'))`.as('id'))
    .executeTakeFirstOrThrow();
  return id;
}

/** What of a proposal a second person decides, or its author withdraws. Adjustments of one transfer are decided together. */
export type ProposalDecision = 'confirmed' | 'withdrawn';

/**
 * Decides an adjustment, with the other half of its transfer; how many rows, 0: it is decided already, or by nobody but its author, or no run would include
 * it. A confirmation needs another person than its author, enabled and with the right for long enough. What no run includes can be withdrawn though it
 * is confirmed.
 */
export async function decideAdjustment(
  tx: Db,
  { gameId, adjustmentId }: { gameId: number; adjustmentId: number },
  actor: RunActor,
  decision: ProposalDecision,
): Promise<number> {
  const isDecidable =
    decision === 'confirmed'
      ? sql`a.confirmed_at is null and a.withdrawn_at is null and (a.kind <> 'brought_forward' or not ${hasFirstRun(gameId)}) and ${isSecondPerson('a', actor)}`
      : sql`a.withdrawn_at is null and (a.confirmed_at is null or ${isStranded(gameId, 'a')})`;
  const pair = sql`select pair_id from payout_adjustment where game_id = ${gameId} and adjustment_id = ${adjustmentId}`;
  const { numAffectedRows } = await sql`
    update payout_adjustment a set ${decision === 'confirmed' ? confirmedBy(actor) : sql`withdrawn_by = ${actor.id}, withdrawn_at = clock_now()`}
    where a.game_id = ${gameId} and (a.adjustment_id = ${adjustmentId} or a.pair_id = (${pair})) and ${isDecidable}`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

const confirmedBy = (actor: RunActor): RawBuilder<unknown> => sql`confirmed_by = ${actor.id}, confirmed_at = clock_now()`;

/** Whether a person may confirm what `proposed_by` of a row, by its alias, proposed. */
const isSecondPerson = (row: string, actor: RunActor): RawBuilder<boolean> => sql`
  exists (select from person p join person author on author.id = ${sql.ref(`${row}.proposed_by`)}
    where p.id = ${actor.id} and ${mayApproveNow('p', 'author', 'payouts.approve')})`;

/** Whether an adjustment belongs to a first run that is in review or approved: it can't be confirmed any more. */
export async function isTooLate(db: Db, gameId: number, adjustmentId: number): Promise<boolean> {
  const { rows } = await sql`
    select from payout_adjustment a where a.game_id = ${gameId} and a.adjustment_id = ${adjustmentId} and a.kind = 'brought_forward'
      and ${hasFirstRun(gameId)}`.execute(db);
  return rows.length === 1;
}

/** Stores a proposed policy; false: another proposal waits. */
export async function insertPolicy(tx: Db, gameId: number, actor: RunActor, policy: PayoutPolicy): Promise<boolean> {
  const { minimum_usd, secondApprovalFrom_usd, recheckHours, changePercent, firstPaymentFrom_usd, holdsBaseMismatch } = policy;
  const policyNo = await nextNumber(tx, 'payout_policy', 'policy_no', sql`game_id = ${gameId}`);
  const { numAffectedRows } = await sql`
    insert into payout_policy (game_id, policy_no, minimum_usd, second_approval_from_usd, recheck_hours, change_percent, first_payment_from_usd,
      holds_base_mismatch, proposed_by)
    select ${gameId}::int, ${policyNo}::int, ${minimum_usd},
      ${secondApprovalFrom_usd}, ${recheckHours}, ${changePercent}, ${firstPaymentFrom_usd}, ${holdsBaseMismatch}, ${actor.id}
    where not exists (select from payout_policy where game_id = ${gameId} and proposed_by is not null and confirmed_at is null and withdrawn_at is null)
    `.execute(tx);
  return numAffectedRows === 1n;
}

/** Decides a proposed policy; false: it is decided already, or this person can't confirm it. */
export async function decidePolicy(
  tx: Db,
  { gameId, policyNo }: { gameId: number; policyNo: number },
  actor: RunActor,
  decision: ProposalDecision,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update payout_policy policy set ${decision === 'confirmed' ? confirmedBy(actor) : sql`withdrawn_at = clock_now()`}
    where policy.game_id = ${gameId} and policy.policy_no = ${policyNo} and policy.proposed_by is not null and policy.confirmed_at is null
      and policy.withdrawn_at is null and ${decision === 'confirmed' ? isSecondPerson('policy', actor) : sql`true`}`.execute(tx);
  return numAffectedRows === 1n;
}

/** The id of who proposed an adjustment or a policy that nobody decided yet; null: there is none. */
export async function findProposer(
  db: Db,
  gameId: number,
  proposal: { adjustmentId: number } | { policyNo: number },
): Promise<string | null> {
  const { rows } = await sql<{ proposed_by: string | null }>`
    select proposed_by from ${'policyNo' in proposal ? sql`payout_policy` : sql`payout_adjustment`}
    where game_id = ${gameId} and confirmed_at is null and withdrawn_at is null
      and ${'policyNo' in proposal ? sql`policy_no = ${proposal.policyNo}` : sql`adjustment_id = ${proposal.adjustmentId}`}`.execute(db);
  return rows[0]?.proposed_by ?? null;
}
