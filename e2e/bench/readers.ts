import type { Bench, Goal, Measurement, Reading, Round, Work } from './goal.ts';
import { type BareServer, startBareServer } from './product/bare-server.ts';
import { type Asked, ask, load } from './product/load.ts';
import { FULL_MONTH, openMonthBook } from './product/month-book.ts';
import { isAboutRows, type SentQuery, startRecorder } from './product/statement-recorder.ts';
import { BENCH_GAME, type RunningWeb, searchRequest, startWeb } from './product/web.ts';

const MONTH = `/${BENCH_GAME}/months/${FULL_MONTH}`;
const CONNECTIONS = 50;
const SECONDS = 5;

/** What each reader asks for. The first three are compared with a bare server that sends the same statements. */
const DATA_ROUTES = {
  search: '',
  rows: `/${BENCH_GAME}/lists/recipients/rows?month=${FULL_MONTH}&sort=net_attributed_usd&dir=desc`,
  json: `/${BENCH_GAME}/lists/all-recipients/rows?sort=recipient_player_id&dir=asc`,
};
const PAGES = { month: MONTH, months: `/${BENCH_GAME}/months` };
const SEARCHED = '500001';

const rate = (work: string): Work => ({
  work: `${work}, 50 connections`,
  unit: 'requests/s',
  beside: 'bare node, same statements',
  goal: { least: 0.1 },
});
const p99 = (work: string, most: number): Work => ({ work: `${work}, 50 connections: p99`, unit: 'ms', beside: null, goal: { most } });

/** G12: what fifty readers at once get. */
export const readers: Goal = {
  id: 'G12',
  title: 'fifty readers at once',
  rounds: 3,
  works: {
    search: rate('search'),
    rows: rate('rows of recipients'),
    json: rate('rows of all recipients'),
    search_p99: p99('search', 150),
    rows_p99: p99('rows of recipients', 150),
    json_p99: p99('rows of all recipients', 150),
    month_p99: p99('month page', 500),
    months_p99: p99('months page', 500),
    errors: { work: 'answers other than 200', unit: 'errors', beside: null, goal: { most: 0 } },
  },
  open,
};

async function open(bench: Bench): Promise<Measurement> {
  const book = await openMonthBook(bench);
  const web = await startWeb({ databaseUrl: book.databaseUrl, say: bench.say });
  const asked = { search: searchRequest(web, SEARCHED), rows: pageOf(web, DATA_ROUTES.rows), json: pageOf(web, DATA_ROUTES.json) };
  const bare = await startBare(bench, book.databaseUrl);

  async function round(): Promise<Round> {
    const readings: Record<string, Reading> = {};
    let errors = 0;
    for (const [name, each] of Object.entries(asked)) {
      const [ours, theirs] = [await loaded(each), await loaded({ url: `${bare.origin}/${name}` })];
      readings[name] = { figure: ours.perSecond, limit: theirs.perSecond };
      readings[`${name}_p99`] = { figure: ours.p99_ms };
      errors += ours.errors;
    }
    for (const [name, page] of Object.entries(PAGES)) {
      const ours = await loaded(pageOf(web, page));
      readings[`${name}_p99`] = { figure: ours.p99_ms };
      errors += ours.errors;
    }
    return { ...readings, errors: { figure: errors } };
  }
  return {
    round,
    close: async () => {
      await Promise.all([web.stop(), bare.stop()]);
    },
  };
}

function loaded(asked: Asked): ReturnType<typeof load> {
  return load(asked, { connections: CONNECTIONS, seconds: SECONDS });
}

/** A bare server that sends what the product sends for each route, recorded from it. */
async function startBare({ say }: Bench, databaseUrl: string): Promise<BareServer> {
  const recorder = await startRecorder(databaseUrl);
  const web = await startWeb({ databaseUrl: recorder.url, say });
  const routes: Record<string, SentQuery[]> = {};
  for (const [name, asked] of Object.entries({
    search: searchRequest(web, SEARCHED),
    rows: pageOf(web, DATA_ROUTES.rows),
    json: pageOf(web, DATA_ROUTES.json),
  })) {
    const check = async (): Promise<void> => {
      const { status } = await ask(asked);
      if (status !== 200) throw new Error(`${name} answered ${status}`);
    };
    await check();
    routes[`/${name}`] = (await recorder.record(check)).filter(isAboutRows);
  }
  await web.stop();
  await recorder.close();
  return await startBareServer({ databaseUrl, routes });
}

function pageOf({ origin, cookie }: RunningWeb, page: string): Asked {
  return { url: `${origin}${page}`, headers: { cookie } };
}
