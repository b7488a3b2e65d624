import { advanceRefund } from '../advance-refund.ts';
import type { AttemptAnswer } from '../rules/ports.ts';
import { ENDED_STATES, type RefundState } from '../rules/state.ts';
import { MemoryStore } from './memory-store.ts';
import { ModelInvo, SILENT } from './model-invo.ts';
import { people } from './people.ts';
import { Killed, openChance, VirtualTime } from './virtual-time.ts';
import { type History, HOUR, MINUTE, PRICES, type Weather, type World } from './world.ts';

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
  // What is still open has the calm it needs: no more kills or losses, until everything rests.
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

function note(history: History, at: number, name: string): void {
  history.steps++;
  history.trace = Math.imul(history.trace ^ (at % 1_000_000_007), 16_777_619) ^ name.length;
}

// A worker that looks every half second sees a refund when its time has come: the looks that find nothing are left out.
function untilNextWork({ store, time }: World): number {
  if (store.isStopped) return 20 * MINUTE;
  const due = store.refunds.flatMap((each) => (each.lookAt === null ? [] : [each.lookAt]));
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

// The network between us and Invo: what leaves us may arrive never, once or twice, now or within a quarter of an hour; the answer may not come back.
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
  // A refusal for a passing reason, while an earlier copy may still be on its way: no proof that nothing moved.
  if (chance.happens(weather.mishap / 3)) return { ...SILENT, phase: 'answered', status: 404, errorCode: 'SUBSCRIPTION_NOT_FOUND' };
  const answer = receive();
  if (chance.happens(weather.lose / 4)) void time.sleep(Math.floor(chance.next() * MINUTE)).then(receive);
  if (chance.happens(weather.kill / 4)) throw new Killed(`${owner} with an answer on its way`);
  if (chance.happens(weather.lose)) return { ...SILENT, transportError: 'unreachable' };
  await time.sleep(Math.floor(chance.next() * 300));
  return answer;
}

/** States in which a history may rest: ended, or in front of a person. */
export const RESTS: readonly RefundState[] = [...ENDED_STATES, 'awaiting_approval', 'attention'];
