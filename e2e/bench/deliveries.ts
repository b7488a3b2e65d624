import { createHmac, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { openDb } from '#db/kit/open.ts';
import type { Bench, Goal, Measurement, Round } from './goal.ts';
import { type HttpRequest, type RateLoad, sendAtRate } from './product/load.ts';
import { FULL_MONTH, openMonthDatabase } from './product/month-book.ts';
import { BENCH_GAME, startWeb } from './product/web.ts';

const PER_SECOND = 500;
/** As twenty people who open a page every two seconds. */
const PAGES_PER_SECOND = 10;
const SECONDS = 30;
const WARM_UP_SECONDS = 15;
const QUICK_SECONDS = 2;
const SIGNING_SECRET = randomBytes(24).toString('hex');

/** G18: how soon a delivery of Invo is answered while pages are read. */
export const deliveries: Goal = {
  id: 'G18',
  title: 'deliveries beside readers',
  rounds: 3,
  works: {
    p99: {
      work: `${PER_SECOND} deliveries/s beside ${PAGES_PER_SECOND} month pages/s: p99`,
      unit: 'ms',
      beside: null,
      goal: { most: 100 },
    },
    pages: { work: 'those pages: p99', unit: 'ms', beside: null, goal: { most: 500 } },
    // Invo sends again what is answered otherwise.
    lost: { work: 'deliveries answered 200 and not stored', unit: 'deliveries', beside: null, goal: { most: 0 } },
    errors: { work: 'answers other than 200', unit: 'errors', beside: null, goal: { most: 0 } },
  },
  open,
};

async function open(bench: Bench): Promise<Measurement> {
  const database = await openMonthDatabase(bench);
  const web = await startWeb({ databaseUrl: database.databaseUrl, webhookSecret: SIGNING_SECRET, say: bench.say });
  const { db, close } = openDb(database.databaseUrl, { poolSize: 1 });
  const page: HttpRequest = { url: `${web.origin}/${BENCH_GAME}/months/${FULL_MONTH}`, headers: { cookie: web.cookie } };
  const address = `${web.origin}/api/invo/${BENCH_GAME}/webhook`;
  const deliverBesidePages = (seconds: number): Promise<[RateLoad, RateLoad]> =>
    Promise.all([
      sendAtRate(() => signedDelivery(address, SIGNING_SECRET), { perSecond: PER_SECOND, seconds }),
      sendAtRate(() => page, { perSecond: PAGES_PER_SECOND, seconds }),
    ]);
  const countStored = async (): Promise<number> => {
    const { rows } = await sql<{ count: number }>`select count(*) as count from delivery`.execute(db);
    return rows[0]?.count ?? 0;
  };

  // A process that has served this load for some seconds, as one does that runs for days: the first rounds are those of its compiler.
  await deliverBesidePages(bench.isQuick ? QUICK_SECONDS : WARM_UP_SECONDS);
  // As autovacuum does within a minute of the first deliveries of an installation.
  await sql`analyze`.execute(db);

  async function round(): Promise<Round> {
    const before = await countStored();
    const [delivered, pages] = await deliverBesidePages(bench.isQuick ? QUICK_SECONDS : SECONDS);
    return {
      p99: { figure: delivered.p99_ms },
      pages: { figure: pages.p99_ms },
      lost: { figure: delivered.sent - delivered.errors - ((await countStored()) - before) },
      errors: { figure: delivered.errors + pages.errors },
    };
  }
  return {
    round,
    close: async () => {
      await close();
      await web.stop();
    },
  };
}

function signedDelivery(url: string, secret: string): HttpRequest {
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
