import type pg from 'pg';
import { writeLiteral } from '#db/kit/copy-csv.ts';
import { mayApproveNow } from '#db/people/rights-now.ts';
import type { PayoutPolicy } from '#lib/payouts/rules/policy.ts';
import { hasFirstRun, isStranded, type Queryable } from '../reads/run-facts.ts';
import type { RunActor } from './run-states.ts';

/** A hold a person places. */
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

/** Stores a hold and returns its id. */
export async function insertHold(client: pg.ClientBase, gameId: number, actor: RunActor, hold: NewHold): Promise<number> {
  const { rows } = await client.query<{ hold_id: number }>(
    `insert into payout_hold (game_id, recipient_player_id, period_id, attributed_usd, amount_usd, only_run_id, reason_code, note, assigned_to, placed_by, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10) returning hold_id`,
    [
      gameId,
      hold.recipientId,
      hold.period?.periodId ?? null,
      hold.period?.attributed_usd ?? null,
      hold.amount_usd,
      hold.onlyRunId,
      hold.reason,
      hold.note,
      actor.id,
      hold.expiresAt,
    ],
  );
  return idOf(rows[0]?.hold_id);
}

/** Releases a hold; null: it is released already. Otherwise the recipient it held. */
export async function releaseHoldRow(
  client: pg.ClientBase,
  { gameId, holdId }: { gameId: number; holdId: number },
  actor: RunActor,
  note: string,
): Promise<{ recipientId: number; onlyRunId: number | null } | null> {
  const { rows } = await client.query<{ recipientId: number; onlyRunId: number | null }>(
    `update payout_hold set released_by = $3, released_at = clock_now(), release_note = $4
     where game_id = $1 and hold_id = $2 and released_at is null returning recipient_player_id as "recipientId", only_run_id as "onlyRunId"`,
    [gameId, holdId, actor.id, note],
  );
  return rows[0] ?? null;
}

/** Stores the minimum of a recipient; null: the policy's again. */
export async function insertMinimum(
  client: pg.ClientBase,
  { gameId, recipientId, minimum_usd }: { gameId: number; recipientId: number; minimum_usd: string | null },
  actor: RunActor,
): Promise<void> {
  await client.query(
    `insert into payout_minimum (game_id, recipient_player_id, minimum_no, minimum_usd, set_by)
     values ($1, $2, (select coalesce(max(minimum_no), 0) + 1 from payout_minimum where game_id = $1 and recipient_player_id = $2), $3, $4)`,
    [gameId, recipientId, minimum_usd, actor.id],
  );
}

/** An adjustment a person proposes. */
export interface NewAdjustment {
  recipientId: number;
  amount_usd: string;
  kind: string;
  reason: string;
  correctsRunId: number | null;
  correctsPeriodId: number | null;
  pairId: number | null;
}

/** Stores an adjustment that waits for a second person, and returns its id; null: it belongs to the first run, which is in review or approved. */
export async function insertAdjustment(
  client: pg.ClientBase,
  gameId: number,
  actor: RunActor,
  adjustment: NewAdjustment,
): Promise<number | null> {
  const { rows } = await client.query<{ adjustment_id: number }>(
    `insert into payout_adjustment (game_id, recipient_player_id, amount_usd, kind, reason, corrects_run_id, corrects_period_id, pair_id, proposed_by)
     select $1, $2, $3, $4, $5, $6, $7, $8, $9 from game
     where game.game_id = $1 and ($4 <> 'brought_forward' or not ${hasFirstRun('game')}) returning adjustment_id`,
    [
      gameId,
      adjustment.recipientId,
      adjustment.amount_usd,
      adjustment.kind,
      adjustment.reason,
      adjustment.correctsRunId,
      adjustment.correctsPeriodId,
      adjustment.pairId,
      actor.id,
    ],
  );
  return rows[0]?.adjustment_id ?? null;
}

/** Draws the id that both halves of a transfer share. */
export async function drawPairId(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ id: number }>(`select nextval(pg_get_serial_sequence('payout_adjustment', 'adjustment_id')) as id`);
  return idOf(rows[0]?.id);
}

/** What of a proposal a second person decides, or its author withdraws. Adjustments of one transfer are decided together. */
export type ProposalDecision = 'confirmed' | 'withdrawn';

/**
 * Decides an adjustment, with the other half of its transfer; how many rows, 0: it is decided already, or by nobody but its author, or no run would include
 * it. A confirmation needs another person than its author, enabled and with the right for long enough. What no run includes can be withdrawn though it
 * is confirmed.
 */
export async function decideAdjustment(
  client: pg.ClientBase,
  { gameId, adjustmentId }: { gameId: number; adjustmentId: number },
  actor: RunActor,
  decision: ProposalDecision,
): Promise<number> {
  const { rowCount } = await client.query(
    `update payout_adjustment a set ${DECISIONS[decision]}
     where a.game_id = $1 and (a.adjustment_id = $2 or a.pair_id = (select pair_id from payout_adjustment where game_id = $1 and adjustment_id = $2))
       and ${DECIDABLE[decision]}`,
    [gameId, adjustmentId, actor.id],
  );
  return rowCount ?? 0;
}

const DECISIONS = {
  confirmed: 'confirmed_by = $3, confirmed_at = clock_now()',
  withdrawn: 'withdrawn_by = $3, withdrawn_at = clock_now()',
} as const;

/** Whether person $3 may confirm what `proposed_by` of a row proposed. */
const SECOND_PERSON = (row: string): string =>
  `exists (select from person p join person author on author.id = ${row}.proposed_by where p.id = $3 and ${writeLiteral(mayApproveNow('p', 'author', 'payouts.approve'))})`;

/** What of an adjustment `a` can be decided so. */
const DECIDABLE: Readonly<Record<ProposalDecision, string>> = {
  confirmed: `a.confirmed_at is null and a.withdrawn_at is null and (a.kind <> 'brought_forward' or not ${hasFirstRun('a')}) and ${SECOND_PERSON('a')}`,
  withdrawn: `a.withdrawn_at is null and (a.confirmed_at is null or ${isStranded('a')})`,
};

/** Whether an adjustment belongs to a first run that is in review or approved: it can't be confirmed any more. */
export async function isTooLate(from: Queryable, gameId: number, adjustmentId: number): Promise<boolean> {
  const { rowCount } = await from.query(
    `select from payout_adjustment a where a.game_id = $1 and a.adjustment_id = $2 and a.kind = 'brought_forward' and ${hasFirstRun('a')}`,
    [gameId, adjustmentId],
  );
  return rowCount === 1;
}

/** Stores a proposed policy; false: another proposal waits. */
export async function insertPolicy(client: pg.ClientBase, gameId: number, actor: RunActor, policy: PayoutPolicy): Promise<boolean> {
  const { rowCount } = await client.query(
    `insert into payout_policy (game_id, policy_no, minimum_usd, second_approval_from_usd, recheck_hours, change_percent, first_payment_from_usd,
       holds_base_mismatch, proposed_by)
     select $1, (select coalesce(max(policy_no), 0) + 1 from payout_policy where game_id = $1), $2, $3, $4, $5, $6, $7, $8
     where not exists (select from payout_policy where game_id = $1 and proposed_by is not null and confirmed_at is null and withdrawn_at is null)`,
    [
      gameId,
      policy.minimum_usd,
      policy.secondApprovalFrom_usd,
      policy.recheckHours,
      policy.changePercent,
      policy.firstPaymentFrom_usd,
      policy.holdsBaseMismatch,
      actor.id,
    ],
  );
  return rowCount === 1;
}

/** Decides a proposed policy; false: it is decided already, or this person can't confirm it. */
export async function decidePolicy(
  client: pg.ClientBase,
  { gameId, policyNo }: { gameId: number; policyNo: number },
  actor: RunActor,
  decision: ProposalDecision,
): Promise<boolean> {
  const set = decision === 'confirmed' ? DECISIONS.confirmed : 'withdrawn_at = clock_now()';
  const { rowCount } = await client.query(
    `update payout_policy policy set ${set}
     where policy.game_id = $1 and policy.policy_no = $2 and policy.proposed_by is not null and policy.confirmed_at is null and policy.withdrawn_at is null
       and $3::text is not null and ${decision === 'confirmed' ? SECOND_PERSON('policy') : 'true'}`,
    [gameId, policyNo, actor.id],
  );
  return rowCount === 1;
}

/** The id of who proposed an adjustment that nobody decided yet; null: there is none. */
export async function findAdjustmentProposer(
  pool: pg.Pool,
  { gameId, adjustmentId }: { gameId: number; adjustmentId: number },
): Promise<string | null> {
  const { rows } = await pool.query<{ by: string }>(
    'select proposed_by as by from payout_adjustment where game_id = $1 and adjustment_id = $2 and confirmed_at is null and withdrawn_at is null',
    [gameId, adjustmentId],
  );
  return rows[0]?.by ?? null;
}

/** The id of who proposed a policy that nobody decided yet; null: there is none. */
export async function findPolicyProposer(
  pool: pg.Pool,
  { gameId, policyNo }: { gameId: number; policyNo: number },
): Promise<string | null> {
  const { rows } = await pool.query<{ by: string | null }>(
    'select proposed_by as by from payout_policy where game_id = $1 and policy_no = $2 and confirmed_at is null and withdrawn_at is null',
    [gameId, policyNo],
  );
  return rows[0]?.by ?? null;
}

function idOf(id: number | undefined): number {
  if (id === undefined) throw new Error('the row was not stored');
  return id;
}
