import { afterEach, describe, expect, test } from 'vitest';
import { proofCases } from '#e2e/support/proof.ts';
import { CARD_REFUSALS, ENDS, type ExpectedRefusal, PRICE_REFUSALS, READ_REFUSALS, STAY_OPEN } from '../pages/refusals.ts';
import { control } from '../pages/simulated-invo.ts';
import { requestRefund, search, send, visit } from '../pages/visit.ts';

// Every code of the contract's tables of subscription and refund errors: what the form's action answers, and what the page shows then.
// Codes of a report are in evidence/pull-refusals.int.test.ts, one test of each shape in a browser in refusals.spec.ts, and there what makes the game wait.

const NOTHING_REFUNDED = 'Nothing was refunded by this request';
const MIRA = 'SUB_1733392800_DESKMIRA';
// Sharebook sends at most fifteen calls a minute on one subscription.
const REFUSED = [2024128001, 2024128009, 2024128003, 2024128008, 2024128010, 2024128011, 2024128015, 2024128016];
// Periods of January 2026, each of another subscription and not refunded: an open refund is retried.
const OPEN = [1, 13, 3, 8, 9, 11].map((slot) => 2026010000 + slot);

afterEach(async () => {
  await control('faults', {}, 'DELETE');
});

describe('a refund', () => {
  test.each(
    proofCases(
      5,
      ENDS.map((refusal, index) => ({ ...refusal, period: REFUSED[index % REFUSED.length] ?? 0 })),
    ),
  )('that Invo refuses with $code ends as refused and shows why', async ({ period, ...refusal }) => {
    await arm('refund', refusal);
    const shown = await untilShown(await requestRefund(period), 'Refused', refusal.says);
    if (refusal.status !== 404) expect(shown).toContain(NOTHING_REFUNDED);
    expect(shown).toMatch(/err_\w+/);
  });

  test.each(
    proofCases(
      3,
      STAY_OPEN.filter(({ status }) => status !== 429).map((refusal, index) => ({ ...refusal, period: OPEN[index] ?? 0 })),
    ),
  )('that Invo answers with $code stays open and shows what is safe', async ({ period, state, ...refusal }) => {
    await arm('refund', refusal, 100);
    await untilShown(await requestRefund(period), state, refusal.says);
  });
});

test.each(proofCases(2, PRICE_REFUSALS))('a price change that Invo answers with $code is explained beside the form', async (refusal) => {
  await arm('amount', refusal);
  const { result } = await change('price', 'priceAction', { amount: '70' });
  expect(result).toMatchObject({
    kind: expect.stringMatching(/^(refused|unknown|failed)$/),
    sentence: expect.stringMatching(refusal.says),
  });
});

test.each(proofCases(2, CARD_REFUSALS))('a card change that Invo answers with $code is explained beside the form', async (refusal) => {
  await arm('payment-method', refusal);
  const page = await visit(`/demo/subscriptions/${MIRA}/card`, 'support');
  const card = page.element.querySelector('input[type="radio"]')?.getAttribute('value') ?? '';
  const { result } = await change('card', 'cardAction', { cardId: card });
  expect(result).toMatchObject({
    kind: expect.stringMatching(/^(refused|unknown|failed)$/),
    sentence: expect.stringMatching(refusal.says),
  });
});

test.each(
  proofCases(
    4,
    READ_REFUSALS.filter(({ status }) => status !== 429),
  ),
)('a page that Invo refuses with $code shows why ($route)', async (refusal) => {
  // A player has a page once support has searched for them.
  await search('mira.holt@players.example');
  await arm(refusal.route, refusal, 100);
  const page = await visit(`/demo/${refusal.at}`, 'support');
  expect(page.main.text).toMatch(refusal.says);
});

async function arm(route: string, { status, code, facts }: Pick<ExpectedRefusal, 'status' | 'code' | 'facts'>, times = 1): Promise<void> {
  await control('faults', [{ kind: 'refuse', match: { route }, status, code, times, ...(facts === undefined ? {} : { facts }) }]);
}

/** The words of the page of a refund once it has that state and says why, as a person who leaves it open sees. */
async function untilShown(path: string, state: string, says: RegExp): Promise<string> {
  let shown = '';
  const look = async (): Promise<{ statuses: string[]; text: string }> => {
    const page = await visit(path, 'support');
    shown = page.main.text;
    return { statuses: page.statuses, text: shown };
  };
  const expected = { statuses: expect.arrayContaining([state]), text: expect.stringMatching(says) };
  await expect.poll(look, { interval: 200 }).toMatchObject(expected);
  return shown;
}

async function change(tool: 'price' | 'card', action: string, fields: Record<string, string>): ReturnType<typeof send> {
  const path = `/demo/subscriptions/${MIRA}/${tool}`;
  const [, baseline = ''] = /baseline\\":\\"([0-9a-f]{64})/.exec((await visit(path, 'support')).html) ?? [];
  return await send(action, path, { game: 'demo', subscriptionId: MIRA, baseline, ...fields });
}
