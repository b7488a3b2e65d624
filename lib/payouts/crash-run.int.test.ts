// @module-tag no-retry
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cutEverywhere } from '#e2e/support/db/cut-statements.ts';
import { answerChecks, seedFinance } from '#e2e/support/payouts/close-month.ts';
import { recordFigure } from '#e2e/support/proof.ts';
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

test('a draft, a submission and an approval that are cut at any statement leave no half run, and the same form sent again is harmless', {
  tags: ['proof'],
}, async () => {
  const states: string[] = [];
  const whole = async (): Promise<void> => {
    const findings = new Findings();
    expect(await verifyRuns(testEnv.db, game.gameId, findings)).toBeLessThanOrEqual(1);
    expect(findings.violations).toEqual([]);
    states.push((await findRun(testEnv.db, game.gameId, { runNo: 1 }))?.state ?? 'none');
  };
  let cuts = await cutEverywhere({ pool: testEnv.pool, every: 1 }, (db) => draftRun({ ...game, db }, fiona, MONTH), whole);
  const run = await findRun(testEnv.db, game.gameId, { runNo: 1 });
  if (run === null) throw new Error('no run');
  await answerChecks(testEnv, fiona, run);
  cuts += await cutEverywhere(
    { pool: testEnv.pool, every: 1 },
    (db) => submitRun({ ...game, db }, fiona, run.runId, run.draftDigest ?? ''),
    whole,
  );
  const submitted = await findRun(testEnv.db, game.gameId, { runNo: 1 });
  cuts += await cutEverywhere(
    { pool: testEnv.pool, every: 1 },
    (db) => approveRun({ ...game, db }, ada, run.runId, submitted?.contentDigest ?? ''),
    whole,
  );
  expect(await findRun(testEnv.db, game.gameId, { runNo: 1 })).toMatchObject({ state: 'approved', approvals: [{ by: { id: ada.id } }] });
  // Each state is reached once and never left again.
  expect(states.filter((state, index) => state !== states[index - 1])).toEqual(['none', 'draft', 'submitted', 'approved']);
  expect(cuts).toBeGreaterThan(24);
  recordFigure('Payout runs cut at a statement', `${cuts} cuts of draft, submission and approval, no half run`);
});
