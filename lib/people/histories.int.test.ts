// @module-tag proof
// @module-tag no-retry
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY, emailOf, History, NEWEST } from '#e2e/support/people/history.ts';
import { proofSize, recordFigure } from '#e2e/support/proof.ts';
import { openTestEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import type { Role } from '../core/roles.ts';
import type { OpenGame } from '../games/open-game.ts';
import { changeRoles, enablePerson } from './manage-people.ts';
import { confirmAsOperator } from './second-person.ts';
import { listStoredPeople } from './writes/people.ts';

// Each lane has a database of its own: statements of one wait for none of another.
const LANES = proofSize(1, 2);
let lanes: { testEnv: TestEnvironment; game: OpenGame }[];
beforeAll(async () => {
  lanes = [];
  for (let lane = 0; lane < LANES; lane++) {
    const testEnv = await openTestEnvironment();
    lanes.push({ testEnv, game: await testEnv.game() });
  }
});
afterAll(async () => void (await Promise.all(lanes.map(({ testEnv }) => testEnv.close()))));

/** Plays random histories, shared among the lanes. A failing one is reported as it is: making it smaller would take longer than the test may. */
async function play(numRuns: number, check: (history: History, steps: number[][]) => Promise<void>): Promise<void> {
  const property = ({ testEnv, game }: (typeof lanes)[number]) =>
    fc.asyncProperty(STEPS, async (steps) => await check(await History.start(testEnv, game), steps));
  await Promise.all(lanes.map((lane) => fc.assert(property(lane), { numRuns: Math.ceil(numRuns / LANES), endOnFailure: true })));
}

const ANY = fc.nat(9_999);
const STEP = fc.array(ANY, { minLength: 4, maxLength: 4 });
// Someone is invited; before they set a password another one makes them a link, uses it if they can, confirms the account and approves its roles.
const INVITATION = fc.record({ inviter: fc.nat(2), other: fc.nat(2), roles: ANY, how: ANY }).map(({ inviter, other, roles, how }) => [
  [0, inviter, 0, roles],
  [1, other, NEWEST, how],
  [3, other, 0, NEWEST],
  [8, other, NEWEST, 0],
  [7, other, NEWEST, 0],
]);
const STEPS = fc
  .array(fc.oneof({ weight: 6, arbitrary: STEP.map((step) => [step]) }, { weight: 1, arbitrary: INVITATION }), {
    minLength: 5,
    maxLength: 26,
  })
  .map((parts) => parts.flat());

test(
  'in no history of invitations, links, resets, roles and approvals are two acts of a pair done by one person',
  async () => {
    let [pairs, attempts] = [0, 0];
    const numRuns = proofSize(4, 10_000);
    await play(numRuns, async (history, steps) => {
      for (const step of steps) await history.step(step);
      // At the end Mallory tries every pair with every account they use.
      const own = history.accounts.filter(({ usedBy }) => usedBy === 'mallory');
      for (const kind of [13, 14, 15]) for (const account of [...own, ...own]) await history.actInPair(kind, account, 'mallory');
      attempts += own.length * 6;
      pairs += history.pairs.length;
      for (const [first, second] of history.pairs) expect(first).not.toBe(second);
      const confirmed = (await listStoredPeople(history.testEnv.db))
        .filter(({ isConfirmed }) => isConfirmed)
        .map(({ id }) => history.byId(id).usedBy);
      expect(confirmed.filter((usedBy) => usedBy === 'mallory').length).toBeLessThanOrEqual(1);
    });
    expect(pairs).toBeGreaterThan(numRuns / 20);
    recordFigure('two people', `${numRuns} histories, ${pairs} pairs completed by two people, ${attempts} attempts by one refused`);
  },
  proofSize(120_000, 7_200_000),
);

test(
  'after any history of an honest team of three, the operator and the team get two people who count, and their work done',
  async () => {
    const numRuns = proofSize(1, 2_000);
    await play(numRuns, async (history, steps) => {
      // Nobody is dishonest here: each uses their own account only, and no reset opens it to anyone else.
      for (const step of steps) {
        const [kind = 0] = step;
        if (kind % 16 === 0) continue;
        await history.step(step);
        history.links = history.links.map((link) => ({ ...link, holder: history.byId(link.accountId).names ?? 'mallory' }));
        for (const account of history.accounts) if (account.usedBy !== null) account.usedBy = account.names;
      }
      await recover(history);
      expect(await worksOut(history)).toBe(true);
    });
    recordFigure('two people', `${numRuns} histories of an honest team, each able to work afterwards`);
  },
  proofSize(120_000, 3_600_000),
);

/** What an operator and a team do when something is stuck: confirm each other, enable who was disabled, give the roles back, wait a day. */
async function recover(history: History): Promise<void> {
  const { db } = history.testEnv;
  const names = ['mallory', 'fiona', 'bob'] as const;
  for (let round = 0; round < 3; round++) {
    await history.passADay();
    for (const name of names) await confirmAsOperator(db, emailOf(name), DAY);
    await history.passADay();
    for (const by of names)
      for (const name of names) {
        const ids = { actorId: history.of(by).id, personId: history.of(name).id };
        await history.confirm(ids);
        await enablePerson(db, ids, DAY);
        const roles: Role[] = name === 'fiona' ? ['finance'] : ['finance', 'admin'];
        await changeRoles(db, { ...ids, roles }, DAY);
        await confirmAsOperator(db, emailOf(name), DAY);
      }
  }
  await history.passADay();
}

/** Whether two of the team complete a pair now. */
async function worksOut(history: History): Promise<boolean> {
  const before = history.pairs.length;
  for (const name of ['mallory', 'fiona', 'bob'] as const) await history.actInPair(13, history.of(name), name);
  return history.pairs.length > before;
}
