import { advanceRefund } from '#lib/refunds/advance-refund.ts';
import { digestContent } from '#lib/refunds/content-digest.ts';
import { digestBaseline } from '#lib/refunds/read-refund-facts.ts';
import { remainingOf } from '#lib/refunds/rules/period.ts';
import type { AttemptAnswer } from '#lib/refunds/rules/ports.ts';
import { ENDED_STATES, type RefundState } from '#lib/refunds/rules/state.ts';
import { MemoryStore, type StoredRefund } from './memory-store.ts';
import { ModelInvo, SILENT } from './model-invo.ts';
import { type History, HOUR, Killed, MINUTE, openChance, PRICES, VirtualTime, type Weather, type World } from './world.ts';

const START = Date.parse('2026-11-21T12:00:00Z');

/**
 * Plays one history of a day and a half in virtual time: a few refunds of two periods, two workers, a network that loses, delays and
 * repeats, an Invo that fails in every documented way, processes killed at any step, and people who decide. Same seed, same history.
 */
export async function runHistory(seed: number): Promise<History> {
  const chance = openChance(seed);
  const time = new VirtualTime(START);
  const invo = new ModelInvo(PRICES, chance.happens(0.1) ? [chance.among([1, 2])] : []);
  const store = new MemoryStore(() => time.now);
  const history: History = { seed, refunds: store.refunds, invo, trace: 0, steps: 0, mishaps: 0 };
  const rough = chance.among([0, 0.05, 0.3]);
  const weather: Weather = {
    kill: rough * chance.next(),
    lose: rough * chance.next() * 2,
    mishap: rough * chance.next() * 2,
    readFails: rough * chance.next(),
  };
  const world = { chance, time, invo, store, history, weather };
  const end = START + 30 * HOUR;
  void people(world, end);
  for (const name of ['a', 'b']) void worker(world, name, end);
  await time.runUntil(end);
  // Open refunds now settle without further kills or losses, until everything is at rest.
  Object.assign(weather, { kill: 0, lose: 0, mishap: 0, readFails: 0 });
  for (const name of ['c']) void worker(world, name, end + 60 * HOUR);
  await time.runUntil(end + 60 * HOUR);
  return history;
}

async function worker(world: World, name: string, until: number): Promise<void> {
  const { time, chance } = world;
  for (let life = 1; time.now < until; life++) {
    const owner = `${name}${life}`;
    try {
      while (time.now < until) {
        const hasWorked = await advanceRefund(portsOf(world, owner));
        await time.sleep(hasWorked ? 10 : untilNextWork(world) + Math.floor(chance.next() * 5_000));
      }
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      world.history.mishaps++;
      await time.sleep(chance.among([1_000, MINUTE, 10 * MINUTE, 2 * HOUR]));
    }
  }
}

function note(history: History, time: number, name: string): void {
  history.steps++;
  history.trace = Math.imul(history.trace ^ (time % 1_000_000_007), 16_777_619) ^ name.length;
}

// A worker that polls every half second sees a refund when it is due: polls that find nothing are left out.
function untilNextWork({ store, time }: World): number {
  if (store.isPaused) return 20 * MINUTE;
  const due = store.refunds.flatMap((each) => (each.checkAt === null ? [] : [each.checkAt]));
  return Math.min(HOUR, Math.max(500, Math.min(...due) - time.now));
}

function portsOf(world: World, owner: string): Parameters<typeof advanceRefund>[0] {
  const { time, chance, store, weather } = world;
  const around = async <T>(name: string, work: () => T): Promise<T> => {
    await time.sleep(Math.floor(chance.next() * 20));
    if (chance.happens(weather.kill / 6)) throw new Killed(`${owner} before ${name}`);
    const result = work();
    note(world.history, time.now, name);
    if (chance.happens(weather.kill / 6)) throw new Killed(`${owner} after ${name}`);
    return result;
  };
  return {
    store: store.as(owner, around),
    wire: {
      takeCall: async () => 0,
      send: (_subscriptionId, bytes) => sendThrough(world, owner, bytes),
      readPeriod: async (periodId) => {
        await time.sleep(200);
        if (chance.happens(weather.readFails)) return { error: 'unreachable', errorId: null };
        return { period: world.invo.period(periodId - 1_000) };
      },
      readFacts: async (periodId) => {
        await time.sleep(400);
        if (chance.happens(weather.readFails)) return { error: 'unreachable', errorId: null };
        const read_at = new Date(time.now).toISOString();
        return { facts: { period: world.invo.period(periodId - 1_000), subscription: null, otherPaidUntil: null, wallets: null, read_at } };
      },
    },
    jitter: () => chance.next(),
    businessNow: () => new Date(time.now).toISOString(),
    timeZone: 'UTC',
  };
}

// The network between us and Invo: a call may arrive never, once or twice, now or within fifteen minutes; its answer may be lost.
async function sendThrough(world: World, owner: string, bytes: Buffer): Promise<AttemptAnswer> {
  const { time, chance, invo, weather, history } = world;
  const receive = (): AttemptAnswer => {
    const isBad = chance.happens(weather.mishap);
    if (isBad) history.mishaps++;
    return invo.receive(
      bytes,
      time.now,
      isBad ? chance.among(['receipt_lost', 'refuse_5xx', 'paused', 'limited', 'needs_people'] as const) : 'none',
    );
  };
  if (chance.happens(weather.kill / 4)) throw new Killed(`${owner} before the first byte`);
  if (chance.happens(weather.lose / 4)) return { ...SILENT, phase: 'not_sent', transportError: 'unreachable' };
  await time.sleep(Math.floor(chance.next() * 300));
  if (chance.happens(weather.lose)) {
    history.mishaps++;
    const late = chance.among([0, 1, 2]);
    for (let copy = 0; copy < late; copy++) void time.sleep(Math.floor(chance.next() * 14 * MINUTE)).then(receive);
    await time.sleep(45_000);
    return { ...SILENT, transportError: 'timeout' };
  }
  // A refusal for a temporary reason, while an earlier copy may still be under way: it doesn't prove that nothing moved.
  if (chance.happens(weather.mishap / 3)) return { ...SILENT, phase: 'answered', status: 404, errorCode: 'SUBSCRIPTION_NOT_FOUND' };
  const answer = receive();
  if (chance.happens(weather.lose / 4)) void time.sleep(Math.floor(chance.next() * MINUTE)).then(receive);
  if (chance.happens(weather.kill / 4)) throw new Killed(`${owner} with an answer on its way`);
  if (chance.happens(weather.lose)) return { ...SILENT, transportError: 'unreachable' };
  await time.sleep(Math.floor(chance.next() * 300));
  return answer;
}

/** The states in which a history may rest: ended, or waiting for a person. */
export const RESTS: readonly RefundState[] = [...ENDED_STATES, 'awaiting_approval', 'attention'];

/** People request refunds now and then, decide on them, pause refunds once in a while, and refund at Invo's own console. */
async function people(world: World, until: number): Promise<void> {
  const { time, chance, store, invo } = world;
  for (let requestCount = 0; time.now < until; ) {
    await time.sleep(Math.floor(chance.next() * 2 * HOUR));
    if (requestCount < 4 && chance.happens(0.7) && ask(world, requestCount + 1)) requestCount++;
    if (chance.happens(0.1)) store.isPaused = !store.isPaused;
    if (chance.happens(0.05)) {
      const seq = chance.among([1, 2]);
      // An amount that no request here has, so that it can be distinguished.
      if (Number(invo.period(seq).amount_usd) - Number(invo.period(seq).refunded_to_date_usd) > 1)
        invo.refund(`console ${time.now}`, seq, '0.37', time.now);
    }
    for (const refund of store.refunds) decide(world, refund);
  }
  store.isPaused = false;
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
    checkAt: isApproved ? time.now : null,
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

function decide({ chance, time, store }: World, refund: StoredRefund): void {
  if (chance.happens(0.4)) return;
  const job = { ...refund };
  if (refund.state === 'awaiting_approval') {
    if (chance.happens(0.3)) store.move(job, { state: chance.among(['withdrawn', 'rejected']), checkAt: null });
    else if (store.move(job, { state: 'approved', checkAt: time.now }))
      Object.assign(refund, {
        approvedDigest: digestContent(refund.content).toString('hex'),
        approvedAt: time.now,
        approvals: [...refund.approvals, time.now],
      });
  }
  if (refund.state === 'attention') {
    const isLate = refund.lastReadAt !== null && refund.lastSentAt !== null && refund.lastReadAt >= refund.lastSentAt + 30 * MINUTE;
    if (refund.proposal === 'landed') store.move(job, { state: 'landed', checkAt: time.now, unanswered_count: 0 });
    else if (refund.proposal === 'not_landed' && isLate) store.move(job, { state: 'not_landed', checkAt: null });
    else {
      const isFull = refund.amount_usd === remainingOf(refund.facts.period);
      const isInTime = refund.firstSentAt === null || time.now < Math.max(refund.firstSentAt, refund.approvedAt ?? 0) + 23.5 * HOUR;
      if ((isFull || isInTime) && store.move(job, { state: 'unknown', checkAt: time.now }))
        Object.assign(refund, { hasExtraCall: isFull, wasOrdered: isFull });
    }
  }
}
