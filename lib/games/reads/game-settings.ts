import { type RawBuilder, sql } from 'kysely';
import { jsonObjectFrom } from 'kysely/helpers/postgres';
import { type Db, nestedInstant } from '#db/kit/open.ts';
import { limitsOf, type RequestedRaise, raisesOf } from '#lib/approvals/reads.ts';
import { LIMITED_KEYS, type Limited, type SetLimits } from '#lib/approvals/rules/approval.ts';
import type { PayoutPolicy } from '#lib/payouts/rules/policy.ts';

/** The state of the connection to Invo for one game, as far as it is stored. */
export interface GameHealth {
  /** Invo's own id, pinned by the first report; null until then. */
  invoGameId: string | null;
  /** When Invo last refused the current secret and accepted the previous one; null: never. */
  previousSecretUsedAt: string | null;
  /** Invo hasn't accepted the current secret since. */
  isPreviousSecretInUse: boolean;
  /** The newest stored response of Invo; null: there is none. */
  lastAnswer: { at: string; status: number; wasRefused: boolean } | null;
  /** The newest ended pull, if it failed; null otherwise. */
  lastFailure: { at: string; sentence: string; errorId: string | null } | null;
}

/** A policy that is or was in force, or waits for a second person. */
export interface StoredPolicy extends PayoutPolicy {
  policyNo: number;
  isWaiting: boolean;
  /** null: the defaults of a new game. */
  proposedBy: { id: string; name: string } | null;
}

/** What Settings shows of a game. */
export interface GameSettings {
  health: GameHealth;
  /** The limits that were set and the higher ones that were requested, by what is limited. */
  limits: Record<Limited, { set: SetLimits; raises: RequestedRaise[] }>;
  /** The payout policies that weren't withdrawn, the one in force first. */
  policies: StoredPolicy[];
  /** Payouts are paused after a restore. */
  arePayoutsPaused: boolean;
}

/** The limits of a game by what is limited. */
function limitsOfGame(gameId: number): RawBuilder<GameSettings['limits']> {
  const limited = (what: Limited): RawBuilder<unknown> =>
    sql`${sql.lit(what)}, json_build_object('set', ${limitsOf(what, gameId)}, 'raises', ${raisesOf(what, gameId)})`;
  return sql`json_build_object(${sql.join(LIMITED_KEYS.map(limited))})`;
}

/** The policies of a game that weren't withdrawn, the one in force first. */
const policiesOf = (gameId: number): RawBuilder<StoredPolicy[]> => sql`(
  select coalesce(json_agg(json_build_object('policyNo', policy.policy_no, 'minimum_usd', policy.minimum_usd::text,
      'secondApprovalFrom_usd', policy.second_approval_from_usd::text, 'recheckHours', policy.recheck_hours, 'changePercent', policy.change_percent,
      'firstPaymentFrom_usd', policy.first_payment_from_usd::text, 'holdsBaseMismatch', policy.holds_base_mismatch,
      'isWaiting', policy.proposed_by is not null and policy.confirmed_at is null,
      'proposedBy', (select json_build_object('id', p.id, 'name', p.name) from person p where p.id = policy.proposed_by))
    order by policy.proposed_by is not null and policy.confirmed_at is null, policy.confirmed_at desc nulls last, policy.policy_no desc), '[]')
  from payout_policy policy where policy.game_id = ${gameId} and policy.withdrawn_at is null)`;

/** Finds what Settings shows of these games, by id, in one statement for each from stored rows; sends no request to Invo. */
export async function findGameSettings(db: Db, gameIds: number[]): Promise<Map<number, GameSettings>> {
  return new Map(await Promise.all(gameIds.map(async (gameId) => [gameId, await findSettings(db, gameId)] as const)));
}

async function findSettings(db: Db, gameId: number): Promise<GameSettings> {
  const row = await db
    .selectFrom('game')
    .where('game.game_id', '=', gameId)
    .select(['game.invo_game_id as invoGameId', 'game.previous_secret_used_at as previousSecretUsedAt'])
    .select(({ selectFrom }) => [
      sql<boolean>`game.previous_secret_until is not null`.as('isPreviousSecretInUse'),
      jsonObjectFrom(
        selectFrom('response')
          .select([nestedInstant('received_at').as('at'), 'status', sql<boolean>`refusal is not null`.as('wasRefused')])
          .where('response.game_id', '=', gameId)
          .orderBy('response_id', 'desc')
          .limit(1),
      ).as('lastAnswer'),
      jsonObjectFrom(
        selectFrom('pull')
          .select([nestedInstant('ended_at').as('at'), 'state', 'failure_message as sentence', 'failure_error_id as errorId'])
          .where('pull.game_id', '=', gameId)
          .where('ended_at', 'is not', null)
          .orderBy('ended_at', 'desc')
          .limit(1),
      ).as('lastEnd'),
      limitsOfGame(gameId).as('limits'),
      policiesOf(gameId).as('policies'),
      sql<boolean>`exists (select from payout_pause where payout_pause.game_id = ${gameId} and resumed_at is null)`.as('arePayoutsPaused'),
    ])
    .executeTakeFirstOrThrow();
  const { limits, policies, arePayoutsPaused, lastEnd, ...health } = row;
  const lastFailure = lastEnd?.state === 'failed' ? { ...lastEnd, sentence: lastEnd.sentence ?? '' } : null;
  return { health: { ...health, lastFailure }, limits, policies, arePayoutsPaused };
}
