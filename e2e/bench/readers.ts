import type { Bench, Goal, Measurement, Reading, Round, Work } from './goal.ts';
import { type BareServer, startBareServer } from './product/bare-server.ts';
import { ask, type HttpRequest, load, sendAtRate } from './product/load.ts';
import { FULL_MONTH, openMonthDatabase } from './product/month-book.ts';
import { isAboutRows, type SentQuery, startRecorder } from './product/statement-recorder.ts';
import { BENCH_GAME, type RunningWeb, searchRequest, startWeb } from './product/web.ts';

const MONTH = `/${BENCH_GAME}/months/${FULL_MONTH}`;
/** Readers without a pause that saturate the one web process. */
const CONNECTIONS = 50;
const SATURATED_SECONDS = 5;
const STEADY_SECONDS = 30;
const QUICK_SECONDS = 2;
/** The steady rate, of the saturation that the same round has measured. */
const SHARE_OF_SATURATION = 0.5;

/** Compared with a bare server that sends the same statements. */
const ROUTES = {
  search: 'search',
  rows: 'rows of recipients',
  json: 'rows of all recipients',
} as const;
type Route = keyof typeof ROUTES;
const PAGES = { month: 'month page', months: 'months page' } as const;
type Page = keyof typeof PAGES;
const SEARCHED = '500001';

const saturation = (work: string): Work => ({
  work: `${work}, ${CONNECTIONS} readers without a pause`,
  unit: 'requests/s',
  beside: 'bare node, same statements',
  goal: { least: 0.25 },
});
const steady = (work: string, most: number): Work => ({
  work: `${work}, at half of its saturation: p99`,
  unit: 'ms',
  beside: null,
  goal: { most },
});

/** G12: how soon one web process answers at a steady rate, and how many requests it can answer. */
export const readers: Goal = {
  id: 'G12',
  title: 'readers at a steady rate',
  rounds: 3,
  works: {
    ...Object.fromEntries(Object.entries(ROUTES).map(([name, work]) => [name, saturation(work)])),
    month: {
      work: `${PAGES.month}, ${CONNECTIONS} readers without a pause`,
      unit: 'requests/s',
      beside: null,
      goal: { least: 60 },
    },
    month_shared: {
      work: `${PAGES.month}, ${CONNECTIONS} readers without a pause, two web processes on two cores`,
      unit: 'requests/s',
      beside: 'one web process',
      goal: { least: 1.1 },
    },
    ...Object.fromEntries(Object.entries(ROUTES).map(([name, work]) => [`${name}_p99`, steady(work, 150)])),
    ...Object.fromEntries(Object.entries(PAGES).map(([name, work]) => [`${name}_p99`, steady(work, 300)])),
    errors: { work: 'answers other than 200, in both', unit: 'errors', beside: null, goal: { most: 0 } },
  },
  open,
};

async function open(bench: Bench): Promise<Measurement> {
  const database = await openMonthDatabase(bench);
  const web = await startWeb({ databaseUrl: database.databaseUrl, say: bench.say });
  const shared = await startWeb({ databaseUrl: database.databaseUrl, webProcesses: 2, say: bench.say });
  const bare = await startBare(bench, database.databaseUrl);
  const saturated = { connections: CONNECTIONS, seconds: bench.isQuick ? QUICK_SECONDS : SATURATED_SECONDS };
  const seconds = bench.isQuick ? QUICK_SECONDS : STEADY_SECONDS;

  const requests: Record<Route | Page, HttpRequest> = {
    ...routesOf(web),
    month: requestOf(web, MONTH),
    months: requestOf(web, `/${BENCH_GAME}/months`),
  };
  // As a process that runs for days: the first seconds are those of its compiler.
  for (const request of [...Object.values(requests), requestOf(shared, MONTH)]) await load(request, saturated);

  async function round(): Promise<Round> {
    const readings: Record<string, Reading> = {};
    let errors = 0;
    const measure = async (name: Route | Page): Promise<number> => {
      const most = await load(requests[name], saturated);
      const atRate = await sendAtRate(() => requests[name], { perSecond: most.perSecond * SHARE_OF_SATURATION, seconds });
      readings[`${name}_p99`] = { figure: atRate.p99_ms };
      errors += most.errors + atRate.errors;
      return most.perSecond;
    };
    for (const name of Object.keys(ROUTES) as Route[]) {
      const limit = (await load({ url: `${bare.origin}/${name}` }, saturated)).perSecond;
      readings[name] = { figure: await measure(name), limit };
    }
    const alone = await measure('month');
    readings['month'] = { figure: alone };
    const both = await load(requestOf(shared, MONTH), saturated);
    readings['month_shared'] = { figure: both.perSecond, limit: alone };
    errors += both.errors;
    await measure('months');
    return { ...readings, errors: { figure: errors } };
  }
  return {
    round,
    close: async () => {
      await Promise.all([web.stop(), shared.stop(), bare.stop()]);
    },
  };
}

/** A bare server that sends what the product sends for each route, recorded from it. */
async function startBare({ say }: Bench, databaseUrl: string): Promise<BareServer> {
  const recorder = await startRecorder(databaseUrl);
  const web = await startWeb({ databaseUrl: recorder.url, say });
  const routes: Record<string, SentQuery[]> = {};
  for (const [name, request] of Object.entries(routesOf(web))) {
    const check = async (): Promise<void> => {
      const { status } = await ask(request);
      if (status !== 200) throw new Error(`${name} answered ${status}`);
    };
    await check();
    routes[`/${name}`] = (await recorder.record(check)).filter(isAboutRows);
  }
  await web.stop();
  await recorder.close();
  return await startBareServer({ databaseUrl, routes });
}

function routesOf(web: RunningWeb): Record<Route, HttpRequest> {
  return {
    search: searchRequest(web, SEARCHED),
    rows: requestOf(web, `/${BENCH_GAME}/lists/recipients/rows?month=${FULL_MONTH}&sort=net_attributed_usd&dir=desc`),
    json: requestOf(web, `/${BENCH_GAME}/lists/all-recipients/rows?sort=recipient_player_id&dir=asc`),
  };
}

function requestOf({ origin, cookie }: RunningWeb, page: string): HttpRequest {
  return { url: `${origin}${page}`, headers: { cookie } };
}
