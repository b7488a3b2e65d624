// @module-tag no-retry
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { proofSize, recordFigure } from '#e2e/support/proof.ts';
import { findViolations, listSettledRefunds, seenAtInvo } from '#e2e/support/refunds/find-violations.ts';
import { openRefundEnvironment, type RefundEnvironment, type RefundGame, readingOf } from '#e2e/support/refunds/refund-environment.ts';
import { advanceRefund } from './advance-refund.ts';
import type { RefundFactsReader } from './read-refund-facts.ts';
import { type RequestResult, requestRefund } from './request-refund.ts';
import { REFUND_ACTIONS } from './rules/audit-actions.ts';
import type { RefundForm } from './rules/refund.ts';

const ROUNDS = proofSize(1, 200);
const AT_ONCE = 50;
let testEnv: RefundEnvironment;

beforeAll(async () => {
  testEnv = await openRefundEnvironment();
});
afterAll(() => testEnv.close());

/** Answers readings as Invo did the first time: every round begins with the same facts. */
function rememberFacts({ invo }: RefundGame): RefundFactsReader {
  const read = readingOf(invo);
  let first: ReturnType<RefundFactsReader> | null = null;
  return (...args) => (first ??= read(...args));
}

async function send(game: RefundGame, form: RefundForm, read: RefundFactsReader): Promise<RequestResult> {
  return await requestRefund({ game, config: testEnv.config }, testEnv.people.support, form, read);
}

async function executed(): Promise<number[]> {
  return (await seenAtInvo(testEnv)).refunds.map((each) => each.executed);
}

/** As many processes as that settle whatever is due, all at once. */
async function settleAtOnce(game: RefundGame, processes: number): Promise<void> {
  await Promise.all(Array.from({ length: processes }, (_, index) => game.settleDue(`process ${index}`)));
}

describe(`${ROUNDS} rounds of ${AT_ONCE} forms submitted at once create one refund each`, () => {
  async function rounds(
    what: string,
    formsOf: (form: RefundForm) => RefundForm[],
    check: (results: RequestResult[]) => void,
  ): Promise<void> {
    const first = await testEnv.newGame();
    const form = await first.form();
    const read = rememberFacts(first);
    for (let round = 0; round < ROUNDS; round++) {
      const game = round === 0 ? first : await testEnv.newGame();
      const forms = formsOf({ ...form, draftId: randomUUID() });
      check(await Promise.all(forms.map((each) => send(game, each, read))));
      await settleAtOnce(game, 4);
      expect(await listSettledRefunds(game.pool, game.gameId)).toMatchObject([{ state: 'landed', attempt_count: 1 }]);
      expect(await executed()).toEqual([1]);
    }
    recordFigure(`races: ${what}`, `${ROUNDS} rounds of ${AT_ONCE} at once, one refund and one call to Invo each`);
  }

  test('the same form, submitted many times', { timeout: 600_000 }, async () => {
    await rounds(
      'the same form',
      (form) => Array.from({ length: AT_ONCE }, () => form),
      (results) => {
        expect(new Set(results.map((each) => each.ok && each.refundId)).size).toBe(1);
        expect(results.filter((each) => each.ok && each.isNew)).toHaveLength(1);
      },
    );
  });

  test('many forms of one period, open in many tabs', { tags: 'proof', timeout: 600_000 }, async () => {
    await rounds(
      'many forms of one period',
      (form) => Array.from({ length: AT_ONCE }, () => ({ ...form, draftId: randomUUID() })),
      (results) => {
        expect(results.filter((each) => each.ok)).toHaveLength(1);
        expect(results.filter((each) => !each.ok && each.reason === 'another_open')).toHaveLength(AT_ONCE - 1);
      },
    );
  });
});

test('forms submitted on facts that are out of date, while the first is settled, refund nothing more', { tags: 'proof' }, async () => {
  for (let round = 0; round < proofSize(2, 20); round++) {
    const game = await testEnv.newGame();
    const form = await game.form();
    const read = rememberFacts(game);
    const sendAll = async (index: number): Promise<void> => {
      for (let tries = 0; tries < 5; tries++) {
        await send(game, { ...form, draftId: randomUUID() }, read);
        await game.settleDue(`process ${index}`);
      }
    };
    await Promise.all(Array.from({ length: 4 }, (_, index) => sendAll(index)));
    await game.settleToRest();
    const states = (await listSettledRefunds(game.pool, game.gameId)).map((each) => each.state).toSorted();
    expect(states).toEqual(['awaiting_approval', 'landed']);
    expect(await findViolations(testEnv, game.gameId, { isAtRest: true })).toEqual([]);
  }
});

test('a form delivered twice, the second time after the first has landed, is the same refund', async () => {
  const game = await testEnv.newGame();
  const form = await game.form();
  const read = rememberFacts(game);
  await read({ game, config: testEnv.config }, form.periodId);
  const landing = Promise.withResolvers<void>();
  const late = send(game, form, async (...args) => {
    await landing.promise;
    return await read(...args);
  });
  const first = await send(game, form, read);
  await game.settleToRest();
  landing.resolve();
  expect(await late).toEqual({ ...first, isNew: false });
  expect(await game.settleDue()).toBe(0);
  expect(await game.row()).toMatchObject({ state: 'landed', attempt_count: 1 });
});

test('fifty workers that settle one due refund send it once', async () => {
  for (let round = 0; round < proofSize(1, 10); round++) {
    const game = await testEnv.newGame();
    await game.ask(testEnv.people.support);
    await settleAtOnce(game, AT_ONCE);
    expect((await seenAtInvo(testEnv)).calls).toHaveLength(1);
    expect(await findViolations(testEnv, game.gameId, { isAtRest: true })).toEqual([]);
  }
});

test('one attempt starts, however many processes claimed the same refund', async () => {
  const game = await testEnv.newGame();
  await game.ask(testEnv.people.support);
  const processes = Array.from({ length: AT_ONCE }, (_, index) => game.process(`process ${index}`));
  const job = await processes[0]?.store.takeDue();
  if (!job) throw new Error('nothing is due');
  const started = await Promise.all(processes.map(({ store }) => store.begin(job)));
  expect(started.filter((each) => each === 'moved_on')).toHaveLength(AT_ONCE - 1);
  expect(started.filter((each) => typeof each === 'object')).toEqual([{ attempt_no: 1 }]);
  expect(await Promise.all(processes.map((ports) => advanceRefund(ports)))).not.toContain(true);
});

test('one of many simultaneous approvals succeeds', async () => {
  const game = await testEnv.newGame();
  await game.pool.query(`insert into refund_limit (game_id, name, limit_usd, set_by) values ($1, 'support', 0, 'ada')`, [game.gameId]);
  const refundId = await game.ask(testEnv.people.support);
  const shown = (await game.row()).content_digest.toString('hex');
  const { finance, otherFinance, admin } = testEnv.people;
  const approvers = [finance, otherFinance, admin, finance, otherFinance, admin, finance, otherFinance, admin, finance];
  const decided = await Promise.all(approvers.map((actor) => game.approve(actor, refundId, { contentDigest: shown })));
  expect(decided.filter((each) => each.ok)).toHaveLength(1);
  await game.settleToRest();
  expect((await seenAtInvo(testEnv)).calls).toHaveLength(1);
  const approved = await game.pool.query('select 1 from audit where game_id = $1 and act = $2', [game.gameId, REFUND_ACTIONS.approved]);
  expect(approved.rowCount).toBe(1);
});
