import { digestContent } from '../content-digest.ts';
import { digestBaseline } from '../read-refund-facts.ts';
import { remainingOf } from '../rules/period.ts';
import type { KeptRefund } from './memory-store.ts';
import { HOUR, MINUTE, PRICES, type World } from './world.ts';

/** People ask for refunds now and then, decide what waits for them, press the stop once in a while, and somebody refunds at Invo's own console. */
export async function people(world: World, until: number): Promise<void> {
  const { time, chance, store, invo } = world;
  for (let asked = 0; time.now < until; ) {
    await time.sleep(Math.floor(chance.next() * 2 * HOUR));
    if (asked < 4 && chance.happens(0.7) && ask(world, asked + 1)) asked++;
    if (chance.happens(0.1)) store.isStopped = !store.isStopped;
    if (chance.happens(0.05)) {
      const seq = chance.among([1, 2]);
      // An amount nobody asks for here, so that it can be told from ours.
      if (Number(invo.period(seq).amount_usd) - Number(invo.period(seq).refunded_to_date_usd) > 1)
        invo.refund(`console ${time.now}`, seq, '0.37', time.now);
    }
    for (const refund of store.refunds) decide(world, refund);
  }
  store.isStopped = false;
  for (let round = 0; round < 80; round++) {
    await time.sleep(40 * MINUTE);
    for (const refund of store.refunds) decide(world, refund);
  }
}

function ask({ chance, time, invo, store, history }: World, refundId: number): boolean {
  const period_seq = chance.among([1, 2]);
  const period = invo.period(period_seq);
  const left = Number(PRICES[period_seq]) - Number(period.refunded_to_date_usd);
  if (left <= 0) return false;
  const amount_usd = chance.happens(0.4) ? left.toFixed(2) : chance.among(['1.00', '2.50', '4.00']);
  if (Number(amount_usd) > left) return false;
  const client_request_id = `sharebook-test-${history.seed}-${refundId}`;
  const isApproved = chance.happens(0.7);
  const facts = { period, subscription: null, otherPaidUntil: null, wallets: null, read_at: new Date(time.now).toISOString() };
  const request = { subscription_id: 'SUB_1_model', period_id: 1_000 + period_seq, period_seq, amount_usd };
  const content = {
    ...request,
    client_request_id,
    reason_code: 'goodwill',
    reason_text: null,
    environment: 'test',
    request_bytes: Buffer.from(JSON.stringify({ client_request_id, period_seq, amount_usd })),
    request_digest: Buffer.alloc(32),
    baseline_digest: digestBaseline(period),
    facts,
    estimate: null,
  };
  return store.insert({
    gameId: 1,
    refundId,
    version: 0,
    state: isApproved ? 'approved' : 'awaiting_approval',
    stateSince: time.now,
    client_request_id,
    ...request,
    facts,
    content,
    approvedDigest: isApproved ? digestContent(content).toString('hex') : null,
    baselineDigest: digestBaseline(period).toString('hex'),
    attempt_count: 0,
    unanswered_count: 0,
    firstSentAt: null,
    lastSentAt: null,
    approvedAt: isApproved ? time.now : null,
    hasExtraCall: false,
    lastClass: null,
    transaction_id: null,
    endedAt: null,
    lookAt: isApproved ? time.now : null,
    lease_owner: null,
    attention_reason: null,
    proposal: null,
    total_refunded_amount_usd: null,
    attempts: [],
    lastReadAt: null,
    approvals: isApproved ? [time.now] : [],
    wasOrdered: false,
  });
}

function decide({ chance, time, store }: World, refund: KeptRefund): void {
  if (chance.happens(0.4)) return;
  const job = { ...refund };
  if (refund.state === 'awaiting_approval') {
    if (chance.happens(0.3)) store.move(job, { state: chance.among(['withdrawn', 'rejected']), lookAt: null });
    else if (store.move(job, { state: 'approved', lookAt: time.now }))
      Object.assign(refund, {
        approvedDigest: digestContent(refund.content).toString('hex'),
        approvedAt: time.now,
        approvals: [...refund.approvals, time.now],
      });
  }
  if (refund.state === 'attention') {
    const isLate = refund.lastReadAt !== null && refund.lastSentAt !== null && refund.lastReadAt >= refund.lastSentAt + 30 * MINUTE;
    if (refund.proposal === 'landed') store.move(job, { state: 'landed', lookAt: time.now, unanswered_count: 0 });
    else if (refund.proposal === 'not_landed' && isLate) store.move(job, { state: 'not_landed', lookAt: null });
    else {
      const isFull = refund.amount_usd === remainingOf(refund.facts.period);
      const isInTime = refund.firstSentAt === null || time.now < Math.max(refund.firstSentAt, refund.approvedAt ?? 0) + 23.5 * HOUR;
      if ((isFull || isInTime) && store.move(job, { state: 'unknown', lookAt: time.now }))
        Object.assign(refund, { hasExtraCall: isFull, wasOrdered: isFull });
    }
  }
}
