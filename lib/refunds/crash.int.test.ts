// @module-tag no-retry
import { afterAll, beforeAll, expect, test } from 'vitest';
import { proofSize, recordFigure } from '#e2e/support/proof.ts';
import { type Failure, WAYS, type Way } from '#e2e/support/refunds/fail-at-step.ts';
import { findViolations, listSettledRefunds } from '#e2e/support/refunds/find-violations.ts';
import { openRefundEnvironment, type RefundEnvironment } from '#e2e/support/refunds/refund-environment.ts';
import { runRefundChild } from '#e2e/support/refunds/run-refund-child.ts';
import { type Chance, openChance } from '#e2e/support/refunds/world.ts';

/** How often each step fails; beyond the first, Invo fails beside it. */
const RUNS = proofSize(1, Number(process.env['REFUND_CRASH_RUNS'] ?? 20));
/** Which steps fail, every one or every 48th one, and in how many ways each: all, or one after another from step to step. */
const EVERY = proofSize(48, 1);
const WAYS_OF_A_STEP = proofSize(1, WAYS.length);
const LANES = 3;

/** What is lost of an answer, by the phase of the exchange; of a refund, and of a reading. */
const LOST_ANSWERS: Record<string, [refund: string, reading: string]> = {
  connect: ['drop_after', 'reset'],
  write: ['torn_after', 'torn'],
  headers: ['receipt_lost_conflict', 'html'],
  body: ['receipt_lost', 'redirect'],
};
const FAULTS_BESIDE = ['drop_before', 'drop_after', 'torn_after', 'html_after', 'duplicate', 'receipt_lost', 'receipt_lost_conflict'];
const REFUSALS_BESIDE = [
  'processor_failed_after_card',
  'processor_error',
  'flow_paused',
  'service_unavailable',
  'internal_error',
  '429',
  'mismatch',
  'unknown_code',
];

interface Point {
  failure: Failure;
  name: string;
  seed: number;
}

let environments: RefundEnvironment[];
let stepNames: string[];

beforeAll(async () => {
  environments = await Promise.all(Array.from({ length: LANES }, () => openRefundEnvironment()));
  stepNames = await listSteps();
});
afterAll(() => Promise.all(environments.map((testEnv) => testEnv.close())));

test(`the protocol survives a failure at ${EVERY === 1 ? 'every step, in every way' : 'every 48th step, in every way in turn'}, ${RUNS} times`, {
  timeout: RUNS * 600_000,
}, async () => {
  const points = listPoints();
  const ends = new Map<string, number>();
  const troubles: string[] = [];
  const all = points.length;
  let [failures, done] = [0, 0];
  const lane = async (testEnv: RefundEnvironment): Promise<void> => {
    for (let point = points.pop(); point !== undefined; point = points.pop()) {
      const { end, hasFailed, violations } = await failAndGoOn(testEnv, point);
      const { name, failure, seed } = point;
      if (hasFailed) failures++;
      ends.set(end, (ends.get(end) ?? 0) + 1);
      if (++done % Math.ceil((stepNames.length / EVERY) * WAYS_OF_A_STEP) === 0) tell(`${done} of ${all}`, failures, ends, troubles);
      troubles.push(...violations.map((violation) => `step ${failure.step} (${name}) ${failure.way}, seed ${seed}: ${violation}`));
    }
  };
  await Promise.all(environments.map(lane));
  tell(`${stepNames.length} steps`, failures, ends, troubles);
  expect(troubles).toEqual([]);
  expect(stepNames.length).toBeGreaterThanOrEqual(24);
  expect(failures).toBeGreaterThan(all * 0.95);
  recordFigure(
    'kills and lost answers',
    `${stepNames.length} steps × ${WAYS_OF_A_STEP} ways × ${RUNS}: ${failures} failures, ${troubles.length} violations; ends ${JSON.stringify(Object.fromEntries(ends))}`,
  );
});

function tell(what: string, failures: number, ends: Map<string, number>, troubles: string[]): void {
  const said = [
    what,
    `${failures} failures`,
    JSON.stringify(Object.fromEntries(ends)),
    `${troubles.length} violations`,
    ...troubles.slice(0, 3),
  ];
  process.stderr.write(`${said.join(', ')}\n`);
}

async function listSteps(): Promise<string[]> {
  const [testEnv] = environments;
  if (testEnv === undefined) throw new Error('no environment');
  const game = await testEnv.newGame();
  const { report, log } = await runRefundChild(testEnv, game, { form: await game.form(), failure: { step: 0, way: 'killed_before' } });
  if (report === null) throw new Error(`the process did not come to its end: ${log}`);
  expect(report.troubles).toEqual([]);
  expect((await listSettledRefunds(game.pool, game.gameId)).map(({ state }) => state)).toEqual(['landed']);
  return report.steps;
}

function listPoints(): Point[] {
  const points: Point[] = [];
  for (let seed = 1; seed <= RUNS; seed++) {
    for (const [index, name] of stepNames.entries()) {
      if (index % EVERY > 0) continue;
      for (let nth = 0; nth < WAYS_OF_A_STEP; nth++) {
        const way = WAYS[(index / EVERY + nth) % WAYS.length];
        if (way) points.push({ name, seed, failure: { step: index + 1, way, ...arming(index, way) } });
      }
    }
  }
  return points;
}

// A lost answer of an exchange is armed at the last statement before it.
function arming(index: number, way: Way): Pick<Failure, 'arms'> {
  const [, method, path = '', phase = ''] = /^(GET|POST) (\S+): (\w+)$/.exec(stepNames[index] ?? '') ?? [];
  const lost = LOST_ANSWERS[phase];
  if (way !== 'answer_lost' || lost === undefined) return {};
  const before = stepNames.slice(0, index).findLastIndex((name) => !/^(GET|POST) /.test(name));
  const [refund, reading] = lost;
  return { arms: { step: before + 1, fault: { kind: method === 'POST' ? refund : reading, match: { route: routeOf(path) } } } };
}

function routeOf(path: string): string {
  if (path.endsWith('/refund')) return 'refund';
  if (path.includes('/periods/')) return 'period';
  if (path.endsWith('/attribution')) return 'subscription-attribution';
  return path.includes('/player-balances/') ? 'balances' : 'subscription';
}

interface Survived {
  end: string;
  hasFailed: boolean;
  violations: string[];
}

async function failAndGoOn(testEnv: RefundEnvironment, { failure, seed }: Point): Promise<Survived> {
  const chance = openChance(seed * 1_000 + failure.step);
  const game = await testEnv.newGame();
  const form = await game.form({ amountText: chance.happens(0.25) ? '20.00' : '5.00' });
  if (seed > 1) await armBeside(testEnv, chance);
  const { report, signal, log } = await runRefundChild(testEnv, game, { form, failure });
  const violations = await findViolations(testEnv, game.gameId, { isAtRest: false });
  if (report === null && signal !== 'SIGKILL') violations.push(`the process ended by itself: ${log.slice(0, 400)}`);
  await testEnv.control('DELETE', 'faults');
  if (seed > 1 && chance.happens(0.5)) await armBeside(testEnv, chance);
  // The person who saw the page break sends the form again; another process continues with what is stored.
  const requested = await game.request(testEnv.people.support, form);
  if (!requested.ok) violations.push(`the form sent again: ${requested.reason}`);
  await game.settleToRest('the next process');
  const refunds = await listSettledRefunds(game.pool, game.gameId);
  if (refunds.length !== 1) violations.push(`${refunds.length} refunds are stored`);
  violations.push(...(await findViolations(testEnv, game.gameId, { isAtRest: true })));
  const end = refunds.map(({ state, attention_reason }) => [state, attention_reason ?? []].flat().join(' ')).join(' and ');
  if (seed === 1 && end !== 'landed') violations.push(`ends as ${end}`);
  return { end, hasFailed: signal === 'SIGKILL' || (report?.hasFailed ?? false), violations };
}

async function armBeside(testEnv: RefundEnvironment, chance: Chance): Promise<void> {
  const kinds = Array.from({ length: 2 }, () => chance.among(chance.happens(0.7) ? FAULTS_BESIDE : REFUSALS_BESIDE));
  for (const kind of kinds) if (chance.happens(0.7)) await testEnv.control('POST', 'faults', { kind, match: { route: 'refund' } });
}
