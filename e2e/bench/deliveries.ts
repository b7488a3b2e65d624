import { createHmac, randomBytes } from 'node:crypto';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench, Goal, Measurement, Round } from './goal.ts';
import { type Asked, ask, load } from './product/load.ts';
import { FULL_MONTH, openMonthBook } from './product/month-book.ts';
import { BENCH_GAME, startWeb } from './product/web.ts';

const PER_SECOND = 500;
const SECONDS = 5;
const READERS = 5;
const SIGNING_SECRET = randomBytes(24).toString('hex');

/** G18: how soon a delivery of Invo is answered while pages are read. */
export const deliveries: Goal = {
  id: 'G18',
  title: 'deliveries beside readers',
  rounds: 3,
  works: {
    p99: { work: `${PER_SECOND} deliveries/s beside ${READERS} readers of the months: p99`, unit: 'ms', beside: null, goal: { most: 100 } },
    errors: { work: 'deliveries answered other than 200', unit: 'errors', beside: null, goal: { most: 0 } },
  },
  open,
};

async function open(bench: Bench): Promise<Measurement> {
  const book = await openMonthBook(bench);
  const web = await startWeb({ databaseUrl: book.databaseUrl, webhookSecret: SIGNING_SECRET, say: bench.say });
  const page: Asked = { url: `${web.origin}/${BENCH_GAME}/months/${FULL_MONTH}`, headers: { cookie: web.cookie } };
  const address = `${web.origin}/api/invo/${BENCH_GAME}/webhook`;

  async function round(): Promise<Round> {
    await deliver({ address, secret: SIGNING_SECRET, perSecond: 50, seconds: 1 });
    const [delivered] = await Promise.all([
      deliver({ address, secret: SIGNING_SECRET, perSecond: PER_SECOND, seconds: SECONDS }),
      load(page, { connections: READERS, seconds: SECONDS }),
    ]);
    return { p99: { figure: delivered.p99_ms }, errors: { figure: delivered.errors } };
  }
  return { round, close: () => web.stop() };
}

interface Stream {
  address: string;
  secret: string;
  perSecond: number;
  seconds: number;
}

/** Sends signed deliveries, each of another order, at a fixed rate whatever the answers take: a slow answer doesn't slow the next one down. */
async function deliver({ address, secret, perSecond, seconds }: Stream): Promise<{ p99_ms: number; errors: number }> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 100 });
  const took: number[] = [];
  let errors = 0;
  const startedAt = performance.now();
  const answers: Promise<void>[] = [];
  for (let count = 0; count < perSecond * seconds; count += 1) {
    const due_ms = startedAt + (count * 1_000) / perSecond - performance.now();
    if (due_ms > 1) await sleep(due_ms);
    answers.push(
      ask(signedDelivery(address, secret), agent).then(
        ({ status, took_ms }) => void (status === 200 ? took.push(took_ms) : (errors += 1)),
        () => void (errors += 1),
      ),
    );
  }
  await Promise.all(answers);
  agent.destroy();
  const sorted = took.toSorted((a, b) => a - b);
  return { p99_ms: sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.POSITIVE_INFINITY, errors };
}

function signedDelivery(url: string, secret: string): Asked {
  const id = randomBytes(8).toString('hex');
  const data = {
    order_id: `ORD_${id}`,
    transaction_id: `TXN_${id}`,
    identity_id: 'idn_bench',
    usd_amount: '4.99',
    currency_amount: '499.00',
  };
  const body = JSON.stringify({
    event_id: `evt_${id}`,
    event_type: 'purchase.completed',
    created_at: new Date().toISOString(),
    tenant_id: '0',
    data,
  });
  const signedAt = Math.floor(Date.now() / 1_000);
  const signature = createHmac('sha256', secret).update(`${signedAt}.${body}`).digest('hex');
  return {
    url,
    headers: {
      'content-type': 'application/json',
      'x-service-signature': `t=${signedAt},v1=${signature}`,
      'x-service-idempotency-key': `whk_${id}`,
      'x-service-event-id': `evt_${id}`,
    },
    body,
  };
}
