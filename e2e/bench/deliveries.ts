import { createHmac, randomBytes } from 'node:crypto';
import { openDb } from '#db/kit/open.ts';
import type { Bench, Goal, Measurement, Round } from './goal.ts';
import { type Asked, type Load, load, sendAtRate } from './product/load.ts';
import { FULL_MONTH, openMonthBook } from './product/month-book.ts';
import { BENCH_GAME, startWeb } from './product/web.ts';

const PER_SECOND = 500;
const SECONDS = 5;
const WARM_UP_SECONDS = 15;
/** As twenty people who open a page every two seconds. */
const PAGES_PER_SECOND = 10;
/** Each asks again as soon as it has its page: as many pages as the process can render. */
const READERS = 5;
const SIGNING_SECRET = randomBytes(24).toString('hex');

/** G18: how soon a delivery of Invo is answered while pages are read. */
export const deliveries: Goal = {
  id: 'G18',
  title: 'deliveries beside readers',
  rounds: 5,
  works: {
    p99: {
      work: `${PER_SECOND} deliveries/s beside ${PAGES_PER_SECOND} month pages/s: p99`,
      unit: 'ms',
      beside: null,
      goal: { most: 100 },
    },
    pages: { work: 'those pages: p99', unit: 'ms', beside: null, goal: { most: 500 } },
    full: {
      work: `${PER_SECOND} deliveries/s beside ${READERS} readers without a pause: p99`,
      unit: 'ms',
      beside: null,
      goal: { most: 100 },
    },
    errors: { work: 'answers other than 200', unit: 'errors', beside: null, goal: { most: 0 } },
  },
  open,
};

async function open(bench: Bench): Promise<Measurement> {
  const book = await openMonthBook(bench);
  const web = await startWeb({ databaseUrl: book.databaseUrl, webhookSecret: SIGNING_SECRET, say: bench.say });
  const page: Asked = { url: `${web.origin}/${BENCH_GAME}/months/${FULL_MONTH}`, headers: { cookie: web.cookie } };
  const address = `${web.origin}/api/invo/${BENCH_GAME}/webhook`;
  const deliver = (perSecond: number, seconds: number): Promise<Load> =>
    sendAtRate(() => signedDelivery(address, SIGNING_SECRET), { perSecond, seconds });

  const deliverBesidePages = (): Promise<[Load, Load]> =>
    Promise.all([deliver(PER_SECOND, SECONDS), sendAtRate(() => page, { perSecond: PAGES_PER_SECOND, seconds: SECONDS })]);

  // A process that has served this load for some seconds, as one does that runs for days: the first rounds are those of its compiler.
  for (let warmed_s = 0; warmed_s < WARM_UP_SECONDS; warmed_s += SECONDS) await deliverBesidePages();
  await analyze(book.databaseUrl);

  async function round(): Promise<Round> {
    const [beside, pages] = await deliverBesidePages();
    const [full, readers] = await Promise.all([deliver(PER_SECOND, SECONDS), load(page, { connections: READERS, seconds: SECONDS })]);
    return {
      p99: { figure: beside.p99_ms },
      pages: { figure: pages.p99_ms },
      full: { figure: full.p99_ms },
      errors: { figure: beside.errors + pages.errors + full.errors + readers.errors },
    };
  }
  return { round, close: () => web.stop() };
}

/** As autovacuum does within a minute of the first deliveries of an installation. */
async function analyze(databaseUrl: string): Promise<void> {
  const { pool, close } = openDb(databaseUrl, { poolSize: 1 });
  try {
    await pool.query('analyze');
  } finally {
    await close();
  }
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
    tenant_id: '41207',
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
