import { sql } from 'kysely';
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

const THIS_GAME = sql<number>`game.game_id`;

/** The limits of the row's game by what is limited. */
const LIMITS = sql<GameSettings['limits']>`json_build_object(${sql.join(
  LIMITED_KEYS.map(
    (what) => sql`${sql.lit(what)}, json_build_object('set', ${limitsOf(what, THIS_GAME)}, 'raises', ${raisesOf(what, THIS_GAME)})`,
  ),
)})`;

/** The policies of the row's game that weren't withdrawn, the one in force first. */
const POLICIES = sql<StoredPolicy[]>`(
  select coalesce(json_agg(json_build_object('policyNo', policy.policy_no, 'minimum_usd', policy.minimum_usd::text,
      'secondApprovalFrom_usd', policy.second_approval_from_usd::text, 'recheckHours', policy.recheck_hours, 'changePercent', policy.change_percent,
      'firstPaymentFrom_usd', policy.first_payment_from_usd::text, 'holdsBaseMismatch', policy.holds_base_mismatch,
      'isWaiting', policy.proposed_by is not null and policy.confirmed_at is null,
      'proposedBy', (select json_build_object('id', p.id, 'name', p.name) from person p where p.id = policy.proposed_by))
    order by policy.proposed_by is not null and policy.confirmed_at is null, policy.confirmed_at desc nulls last, policy.policy_no desc), '[]')
  from payout_policy policy where policy.game_id = game.game_id and policy.withdrawn_at is null)`;

/** Finds what Settings shows of these games, by id, in one statement from stored rows; sends no request to Invo. */
export async function findGameSettings(db: Db, gameIds: number[]): Promise<Map<number, GameSettings>> {
  if (gameIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('game')
    .where('game.game_id', 'in', gameIds)
    .select(['game.game_id', 'game.invo_game_id as invoGameId', 'game.previous_secret_used_at as previousSecretUsedAt'])
    .select(({ selectFrom }) => [
      sql<boolean>`game.previous_secret_until is not null`.as('isPreviousSecretInUse'),
      jsonObjectFrom(
        selectFrom('response')
          .select([nestedInstant('received_at').as('at'), 'status', sql<boolean>`refusal is not null`.as('wasRefused')])
          .whereRef('response.game_id', '=', 'game.game_id')
          .orderBy('response_id', 'desc')
          .limit(1),
      ).as('lastAnswer'),
      jsonObjectFrom(
        selectFrom('pull')
          .select([nestedInstant('ended_at').as('at'), 'state', 'failure_message as sentence', 'failure_error_id as errorId'])
          .whereRef('pull.game_id', '=', 'game.game_id')
          .where('ended_at', 'is not', null)
          .orderBy('ended_at', 'desc')
          .limit(1),
      ).as('lastEnd'),
      LIMITS.as('limits'),
      POLICIES.as('policies'),
      sql<boolean>`exists (select from payout_pause where payout_pause.game_id = game.game_id and resumed_at is null)`.as(
        'arePayoutsPaused',
      ),
    ])
    .execute();
  return new Map(
    rows.map(({ game_id, limits, policies, arePayoutsPaused, lastEnd, ...health }) => [
      game_id,
      {
        health: {
          ...health,
          lastFailure: lastEnd?.state === 'failed' ? { ...lastEnd, sentence: lastEnd.sentence ?? '' } : null,
        },
        limits,
        policies,
        arePayoutsPaused,
      },
    ]),
  );
}
