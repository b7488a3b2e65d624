import { expect, test } from 'vitest';
import { type Defect, PLAYED_KINDS, type PlayedKind } from '#e2e/support/actions/history-ports.ts';
import { playHistories } from '#e2e/support/actions/play-histories.ts';
import { runHistory } from '#e2e/support/actions/run-history.ts';
import { proofSize, recordFigure } from '#e2e/support/proof.ts';

const SEEDS = proofSize(70, Number(process.env['SIMULATED_SEEDS'] ?? 10_000));

/** The final states that histories of a kind reach. */
const ENDS: Readonly<Record<PlayedKind, string[]>> = {
  payment_confirm: ['done', 'lapsed', 'not_done'],
  card_confirm: ['done', 'lapsed', 'not_done', 'refused'],
  payment_link: ['done', 'lapsed', 'refused', 'rejected', 'withdrawn'],
  milestone: ['done', 'not_done', 'refused', 'rejected', 'withdrawn'],
  item_sale: ['done', 'not_done', 'refused', 'rejected', 'withdrawn'],
  redeem: ['done', 'lapsed', 'not_done', 'refused', 'rejected', 'withdrawn'],
  purchase: ['done', 'lapsed', 'not_done', 'refused'],
  card_setup: ['done', 'lapsed', 'not_done', 'refused'],
  client_event: ['done', 'lapsed', 'not_done', 'refused'],
  rewards_page: ['done', 'lapsed', 'refused'],
  claim: ['done', 'lapsed', 'not_done', 'refused'],
  receipt: ['done', 'lapsed', 'not_done', 'refused'],
  send_start: ['done', 'lapsed', 'not_done', 'refused', 'rejected', 'withdrawn'],
  send_approve: ['done', 'lapsed', 'not_done', 'refused'],
  transfer_start: ['done', 'lapsed', 'not_done', 'refused', 'rejected', 'withdrawn'],
  transfer_approve: ['done', 'lapsed', 'not_done', 'refused'],
  owner_text: ['done', 'lapsed', 'refused'],
  phone_enrolment: ['done', 'lapsed', 'refused', 'rejected', 'withdrawn'],
};

test.each(PLAYED_KINDS)(
  `${SEEDS} histories of %s: executed once or not at all, and no state claims otherwise`,
  { timeout: 120_000 + SEEDS * 60 },
  async (kind) => {
    const { broken, ends, mishaps } = await playHistories(kind, SEEDS);
    expect(broken).toEqual([]);
    // The histories are rough enough: every final state was reached, and many faults happened on the way.
    expect(ends).toEqual(expect.arrayContaining(ENDS[kind]));
    expect(mishaps).toBeGreaterThan(SEEDS / 4);
    recordFigure(`histories of ${kind}`, `${SEEDS} histories, ${mishaps} mishaps, ${broken.length} broken rules; ends: ${ends.join(', ')}`);
  },
);

test.each(PLAYED_KINDS)('the same seed gives the same history of %s', async (kind) => {
  const [first, second] = [await runHistory(kind, 7), await runHistory(kind, 7)];
  expect(first.trace).toBe(second.trace);
  expect(first.trace).not.toBe((await runHistory(kind, 8)).trace);
});

const lostCallsCountAsUnsent: Defect['ports'] = ({ store, wire }) => ({
  store,
  wire: {
    ...wire,
    send: async (...call) => {
      const answer = await wire.send(...call);
      return answer.phase === 'sent' ? { ...answer, phase: 'not_sent' } : answer;
    },
  },
});
const lostCallsGetAnotherAnswer: Defect['ports'] = ({ store, wire }) => ({
  store,
  wire: {
    ...wire,
    send: async (...call) => {
      const answer = await wire.send(...call);
      const another = { status: 'success', setup_intent_id: 'another' };
      return answer.phase === 'sent' ? { ...answer, phase: 'answered', status: 200, json: another } : answer;
    },
  },
});
const inventsCompletedOrders: Defect['ports'] = ({ store, wire }) => ({
  store,
  wire: {
    ...wire,
    read: async (job, what) => {
      const read = await wire.read(job, what);
      return 'reading' in read && read.reading.kind === 'order' ? { reading: { ...read.reading, status: 'completed' } } : read;
    },
  },
});
const forgetsToContinue: Defect['ports'] = ({ store, wire }) => ({
  wire,
  store: { ...store, postpone: async (job) => await store.postpone(job, Number.POSITIVE_INFINITY) },
});
const showsLinksThatWereLost: Defect['ports'] = ({ store, wire }) => ({ wire, store: { ...store, finish: async () => 'sending' } });
const otherBytes: Defect['ports'] = ({ store, wire }) => ({
  store,
  wire: {
    ...wire,
    send: (job, bytes, token) => wire.send(job, Buffer.from(bytes.toString().replace('{', ' '.repeat(job.attempt_count) + '{')), token),
  },
});
const sendsUncommitted: Defect['ports'] = ({ store, wire }) => ({ wire, store: { ...store, begin: async () => ({ attempt_no: 1 }) } });

test.each<[string, PlayedKind, Defect, RegExp]>([
  ['an Invo that credits each time', 'payment_confirm', { invo: { executesAlways: true } }, /was executed \d times/],
  ['an Invo that saves a card each time', 'card_confirm', { invo: { executesAlways: true } }, /was executed \d times/],
  ['an Invo that counts an event each time', 'milestone', { invo: { executesAlways: true } }, /was executed \d times/],
  ['an Invo that sells each time', 'item_sale', { invo: { executesAlways: true } }, /was executed \d times/],
  ['an Invo that saves a set-up’s card each time', 'card_setup', { invo: { executesAlways: true } }, /was executed \d times/],
  ['lost calls that count as unsent', 'purchase', { ports: lostCallsCountAsUnsent }, /is (refused|lapsed) and was executed/],
  ['bytes that change', 'milestone', { ports: otherBytes }, /was sent as other bytes/],
  ['lost calls that count as unsent', 'item_sale', { ports: lostCallsCountAsUnsent }, /is (refused|lapsed) and was executed/],
  ['a store that starts a second attempt', 'payment_link', { store: { startsAlways: true } }, /was sent twice/],
  ['an Invo that redeems each time', 'redeem', { invo: { executesAlways: true } }, /was executed \d times/],
  ['lost calls that count as unsent', 'redeem', { ports: lostCallsCountAsUnsent }, /is refused and was executed/],
  ['lost calls that count as unsent', 'payment_link', { ports: lostCallsCountAsUnsent }, /is refused and was executed/],
  ['lost calls that count as unsent', 'card_confirm', { ports: lostCallsCountAsUnsent }, /is lapsed and was executed/],
  ['readings that invent an end', 'payment_confirm', { ports: inventsCompletedOrders }, /is done and was not executed/],
  [
    'people who don’t wait for late calls',
    'card_confirm',
    { ports: lostCallsGetAnotherAnswer, settledMs: 0 },
    /is not_done and was executed/,
  ],
  ['a worker that forgets to continue', 'payment_confirm', { ports: forgetsToContinue }, /rests as (checking|sending)/],
  ['a link that is shown without being recorded', 'payment_link', { ports: showsLinksThatWereLost }, /its link was shown/],
  ['an Invo that moves coins each time', 'transfer_approve', { invo: { executesAlways: true } }, /was executed \d times/],
  ['lost calls that count as unsent', 'transfer_approve', { ports: lostCallsCountAsUnsent }, /is refused and was executed/],
  ['lost calls that count as unsent', 'transfer_start', { ports: lostCallsCountAsUnsent }, /is (refused|lapsed) and was executed/],
  ['lost calls that count as unsent', 'receipt', { ports: lostCallsCountAsUnsent }, /is refused and was executed/],
  ['bytes that change', 'send_start', { ports: otherBytes }, /was sent as other bytes/],
  ['bytes that change', 'card_confirm', { ports: otherBytes }, /was sent as other bytes/],
  ['lost calls that count as unsent', 'owner_text', { ports: lostCallsCountAsUnsent }, /is refused and was executed/],
  ['a store that starts a second attempt', 'owner_text', { store: { startsAlways: true } }, /was sent twice/],
  ['an Invo that sets a phone up each time', 'phone_enrolment', { invo: { executesAlways: true } }, /was executed \d times/],
  ['lost calls that count as unsent', 'phone_enrolment', { ports: lostCallsCountAsUnsent }, /is refused and was executed/],
  ['a call without a committed attempt', 'payment_link', { ports: sendsUncommitted }, /was sent without a committed attempt/],
])('the rules detect %s (%s)', async (_, kind, defect, rule) => {
  const { broken } = await playHistories(kind, 200, defect);
  expect(broken.join('\n')).toMatch(rule);
});

test('people who wait half an hour for late calls are right, whatever was answered meanwhile', async () => {
  expect((await playHistories('card_confirm', 100, { ports: lostCallsGetAnotherAnswer })).broken).toEqual([]);
});
