import type pg from 'pg';
import { expect } from 'vitest';
import { openWithPool } from '#e2e/support/db/open-with-pool.ts';
import { PATIENT } from '#e2e/support/db/test-db.ts';
import { type Failure, failWork } from '#e2e/support/refunds/fail-at-step.ts';
import type { GameContext } from '#lib/games/game-context.ts';
import type { ActionEnvironment } from './action-environment.ts';

/** What was done in a process of its own that failed at a step. `result`: left out where the process was killed, or threw. */
export interface FailedPress<T> {
  steps: string[];
  hasFailed: boolean;
  result?: T;
}

/** Does some work as a process of its own, which fails at a step, and waits until Invo has answered what it was sent. */
export async function failPress<T>(
  testEnv: Pick<ActionEnvironment, 'context' | 'logins' | 'calls'>,
  side: pg.Client,
  failure: Failure,
  work: (context: GameContext) => Promise<T>,
): Promise<FailedPress<T>> {
  const { db, pool, close } = openWithPool(testEnv.logins.both, PATIENT);
  const { steps, killed, restore } = failWork(pool, failure, side);
  const done = work({ ...testEnv.context, game: { ...testEnv.context.game, db } }).then(
    (result) => ({ result }),
    () => ({}),
  );
  const ended: { result?: T } | 'killed' = await Promise.race([done, killed.then(() => 'killed' as const)]);
  restore();
  if (ended !== 'killed') await close();
  await expect.poll(async () => (await testEnv.calls()).filter(({ status }) => status === 0)).toEqual([]);
  return { steps: steps.names, hasFailed: steps.hasFailed, ...(ended === 'killed' ? {} : ended) };
}
