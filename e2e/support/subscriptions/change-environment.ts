import type { Actor } from '#lib/core/roles.ts';
import type { GameContext } from '#lib/games/game-context.ts';
import { digestFacts, readChangeFacts } from '#lib/subscriptions/read-change-facts.ts';
import { openTestEnvironment, type TestEnvironment } from '../test-environment.ts';

export const MIRA = 'SUB_1733392800_DESKMIRA';
export const OWEN = 'SUB_1734508800_DESKOWEN';
export const INES = 'SUB_1733400000_DESKINES';
export const PAVEL = 'SUB_1733479200_DESKPAVE';
export const THEO = 'SUB_1733565600_DESKTHEO';
export const VIK = 'SUB_1638957600_DESKVIK1';
export const NORA = 'SUB_1794920400_DESKNORA';
export const SAMI: Actor = { id: 'p-1', email: 'support@starfall.example', roles: ['support'] };

/** A test environment with support's cases, and what a form shows of each. */
export interface ChangeEnvironment extends TestEnvironment {
  context: GameContext;
  /** The digest a form carries that shows the subscription in its current state. */
  baselineOf(subscriptionId: string): Promise<string>;
  /** The audit entries since the last reset, oldest first. */
  readAudit(): Promise<{ actor: string; act: string; subject: string; detail: Record<string, unknown> }[]>;
  /** The changing routes that were called since the calls were last cleared. */
  sent(): Promise<string[]>;
  fault(kind: string, route: string, more?: Record<string, unknown>): Promise<unknown>;
  /** Resets the simulated world. */
  startOver(): Promise<void>;
}

/** Opens the environment for tests of changes. */
export async function openChangeEnvironment(): Promise<ChangeEnvironment> {
  const testEnv = await openTestEnvironment();
  const context: GameContext = { game: await testEnv.game(), config: testEnv.config };
  let seenAuditId = 0;
  return {
    ...testEnv,
    context,
    baselineOf: async (subscriptionId) => {
      const read = await readChangeFacts(context, subscriptionId, { limit_ms: 60_000 });
      if (read.kind !== 'read') throw new Error(`${subscriptionId} couldn't be read: ${read.kind}`);
      return digestFacts(read.subscription, context.game.now());
    },
    readAudit: async () =>
      (await testEnv.pool.query('select actor, act, subject, detail from audit where audit_id > $1 order by audit_id', [seenAuditId])).rows,
    sent: async () => (await testEnv.calls()).flatMap(({ path }) => /\/(cancel|amount|payment-method)$/.exec(path)?.[1] ?? []),
    fault: (kind, route, more = {}) => testEnv.control('POST', 'faults', [{ kind, match: { route }, ...more }]),
    startOver: async () => {
      await testEnv.control('POST', 'reset');
      await testEnv.control('POST', 'game', { rateLimit: false });
      const { rows } = await testEnv.pool.query<{ last: number }>('select coalesce(max(audit_id), 0)::int as last from audit');
      seenAuditId = rows[0]?.last ?? 0;
    },
  };
}
