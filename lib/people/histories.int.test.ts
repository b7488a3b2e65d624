// @module-tag no-retry
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY, emailOf, History } from '#e2e/support/people/history.ts';
import { confirmAsShown } from '#e2e/support/people/seed-people.ts';
import { proofSize, recordFigure } from '#e2e/support/proof.ts';
import { openTestEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import type { Role } from '../core/roles.ts';
import type { OpenGame } from '../games/open-game.ts';
import { confirmAsOperator } from './confirm-person.ts';
import { changeRoles, enablePerson } from './manage-people.ts';
import { listStoredPeople } from './writes/people.ts';

let testEnv: TestEnvironment;
let game: OpenGame;
beforeAll(async () => {
  testEnv = await openTestEnvironment();
  game = await testEnv.game();
});
afterAll(() => testEnv.close());

const STEPS = fc.array(fc.array(fc.nat(9_999), { minLength: 4, maxLength: 4 }), { minLength: 5, maxLength: 40 });

test(
  'in no history of invitations, links, resets, roles and approvals are two acts of a pair done by one person',
  async () => {
    let [pairs, attempts] = [0, 0];
    const numRuns = proofSize(15, 10_000);
    await fc.assert(
      fc.asyncProperty(STEPS, async (steps) => {
        const history = await History.start(testEnv, game);
        for (const step of steps) await history.step(step);
        // At the end Mallory tries every pair with every account they use.
        const own = history.accounts.filter(({ usedBy }) => usedBy === 'mallory');
        for (const kind of [13, 14, 15]) for (const account of [...own, ...own]) await history.actInPair(kind, account, 'mallory');
        attempts += own.length * 6;
        pairs += history.pairs.length;
        for (const [first, second] of history.pairs) expect(first).not.toBe(second);
        const confirmed = (await listStoredPeople(testEnv.db))
          .filter(({ isConfirmed }) => isConfirmed)
          .map(({ id }) => history.byId(id).usedBy);
        expect(confirmed.filter((usedBy) => usedBy === 'mallory').length).toBeLessThanOrEqual(1);
      }),
      { numRuns },
    );
    expect(pairs).toBeGreaterThan(numRuns / 20);
    recordFigure('two people', `${numRuns} histories, ${pairs} pairs completed by two people, ${attempts} attempts by one refused`);
  },
  proofSize(120_000, 7_200_000),
);

test(
  'after any history of an honest team of three, the operator and the team get two people who count, and their work done',
  async () => {
    const numRuns = proofSize(4, 2_000);
    await fc.assert(
      fc.asyncProperty(STEPS, async (steps) => {
        const history = await History.start(testEnv, game);
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
      }),
      { numRuns },
    );
    recordFigure('two people', `${numRuns} histories of an honest team, each able to work afterwards`);
  },
  proofSize(120_000, 3_600_000),
);

/** What an operator and a team do when something is stuck: confirm each other, enable who was disabled, give the roles back, wait a day. */
async function recover(history: History): Promise<void> {
  const names = ['mallory', 'fiona', 'bob'] as const;
  for (let round = 0; round < 3; round++) {
    await history.passADay();
    for (const name of names) await confirmAsOperator(testEnv.db, emailOf(name), DAY);
    await history.passADay();
    for (const by of names)
      for (const name of names) {
        const ids = { actorId: history.of(by).id, personId: history.of(name).id };
        await confirmAsShown(testEnv.db, ids);
        await enablePerson(testEnv.db, ids, DAY);
        const roles: Role[] = name === 'fiona' ? ['finance'] : ['finance', 'admin'];
        await changeRoles(testEnv.db, { ...ids, roles }, DAY);
        await confirmAsOperator(testEnv.db, emailOf(name), DAY);
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
