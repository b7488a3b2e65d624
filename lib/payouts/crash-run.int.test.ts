// @module-tag no-retry
import { once } from 'node:events';
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '#db/types.ts';
import { answerChecks, seedFinance } from '#e2e/support/payouts/close-month.ts';
import { proofSize, recordFigure } from '#e2e/support/proof.ts';
import { openPulledEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import type { SessionActor } from '../core/roles.ts';
import { Findings } from '../evidence/rules/findings.ts';
import type { OpenGame } from '../games/open-game.ts';
import { approveRun } from './decide-run.ts';
import { draftRun } from './draft-run.ts';
import { findRun } from './reads/find-run.ts';
import { submitRun } from './submit-run.ts';
import { verifyRuns } from './verify-runs.ts';

const MONTH = '2026-08';
/** Which statements are cut: every one, or every third, in each of the two ways another one. */
const EVERY = proofSize(8, 1);
let testEnv: TestEnvironment;
let game: OpenGame;
let fiona: SessionActor;
let ada: SessionActor;

beforeEach(async () => {
  testEnv = await openPulledEnvironment(MONTH);
  game = await testEnv.game();
  [fiona, ada] = [await seedFinance(testEnv, 'fiona'), await seedFinance(testEnv, 'ada')];
});
afterEach(() => testEnv.close());

/** The game over connections of which the one in a transaction is cut before, or right after, its `at`th statement. `cut` says whether it was. */
function cutAt(index: number, when: 'before' | 'after'): { game: OpenGame; wasCut: () => boolean } {
  let count = 0;
  let wasCut = false;
  const cut = (client: pg.PoolClient): void => {
    wasCut = true;
    (client as unknown as { connection: { stream: { destroy: () => void } } }).connection.stream.destroy();
  };
  const connect = async (): Promise<pg.PoolClient> => {
    const client = await testEnv.pool.connect();
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    let isInTransaction = false;
    const counted = (...args: unknown[]): unknown => {
      isInTransaction ||= args[0] === 'begin';
      if (!isInTransaction) return query(...args);
      count++;
      if (wasCut || count !== index) return query(...args);
      if (when === 'before') {
        cut(client);
        return query(...args);
      }
      const answer = query(...args);
      if (!(answer instanceof Promise)) return answer;
      return answer.then(async () => {
        cut(client);
        // Until then the pool would hand the connection out again.
        await once(client, 'end');
        throw new Error('the answer was lost');
      });
    };
    return new Proxy(client, { get: (target, key) => (key === 'query' ? counted : bound(target, key)) });
  };
  const pool = new Proxy(testEnv.pool, { get: (target, key) => (key === 'connect' ? connect : bound(target, key)) });
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  return { game: { ...game, db }, wasCut: () => wasCut };
}

function bound(target: object, key: string | symbol): unknown {
  const value: unknown = Reflect.get(target, key, target);
  return typeof value === 'function' ? (value as (...args: unknown[]) => unknown).bind(target) : value;
}

/** Cuts an act at its statements, both ways, until it runs to its end; what `settled` checks holds after every cut. Returns how many cuts. */
async function cutEverywhere(act: (cut: OpenGame) => Promise<unknown>, settled: () => Promise<void>): Promise<number> {
  let cuts = 0;
  for (const [first, when] of [
    [1, 'before'],
    [EVERY === 1 ? 1 : 2, 'after'],
  ] as const) {
    for (let index = first; ; index += EVERY) {
      const { game: cutGame, wasCut } = cutAt(index, when);
      const answer = await act(cutGame).catch(() => null);
      await settled();
      if (!wasCut()) {
        expect(answer).not.toBeNull();
        break;
      }
      cuts++;
    }
  }
  return cuts;
}

test('a draft, a submission and an approval that are cut at any statement leave no half run, and the same form sent again is harmless', async () => {
  const states: string[] = [];
  const whole = async (): Promise<void> => {
    const findings = new Findings();
    expect(await verifyRuns(testEnv.db, game.gameId, findings)).toBeLessThanOrEqual(1);
    expect(findings.violations).toEqual([]);
    states.push((await findRun(testEnv.db, game.gameId, { runNo: 1 }))?.state ?? 'none');
  };
  let cuts = await cutEverywhere((cut) => draftRun(cut, fiona, MONTH), whole);
  const run = await findRun(testEnv.db, game.gameId, { runNo: 1 });
  if (run === null) throw new Error('no run');
  await answerChecks(testEnv, fiona, run);
  cuts += await cutEverywhere((cut) => submitRun(cut, fiona, run.runId, run.draftDigest ?? ''), whole);
  const submitted = await findRun(testEnv.db, game.gameId, { runNo: 1 });
  cuts += await cutEverywhere((cut) => approveRun(cut, ada, run.runId, submitted?.contentDigest ?? ''), whole);
  expect(await findRun(testEnv.db, game.gameId, { runNo: 1 })).toMatchObject({ state: 'approved', approvals: [{ by: { id: ada.id } }] });
  // Each state is reached once and never left again.
  expect(states.filter((state, index) => state !== states[index - 1])).toEqual(['none', 'draft', 'submitted', 'approved']);
  expect(cuts).toBeGreaterThan(24 / EVERY);
  recordFigure('Payout runs cut at a statement', `${cuts} cuts of draft, submission and approval, no half run`);
});
