import { type Bench, type Goal, type Measurement, NOT_BUILT, type Round, type Work } from './goal.ts';
import { median } from './judge.ts';
import { startBareServer } from './product/bare-server.ts';
import { ask, askInTurn, type HttpRequest } from './product/load.ts';
import { FULL_MONTH, openMonthDatabase } from './product/month-book.ts';
import { isAboutRows, type SentQuery, startRecorder } from './product/statement-recorder.ts';
import { BENCH_GAME, startWeb } from './product/web.ts';

const MONTH = `/${BENCH_GAME}/months/${FULL_MONTH}`;
/** The signed-in frame around "not found": the emptiest page there is for a person who is signed in. */
const EMPTY_PAGE = `/${BENCH_GAME}/months/none`;
/** The stored answer as the page of the month names it, or the route without its snapshot where the page has none. */
const RECIPIENTS = /\/table\/recipients\?snapshot=\d+/;
const ALL_RECIPIENTS = `select recipient_player_id, player_name, resolved, renewal_count, subscription_count, gross_attributed_usd, reversed_attributed_usd,
  net_attributed_usd, first_paid_at, last_paid_at, base_mismatch_count, coarse_reversal_count, nets_to_zero_count
  from snapshot_recipient where game_id = $1 and snapshot_id = (select max(snapshot_id) from snapshot where game_id = $1) order by net_attributed_usd desc, recipient_player_id`;

const STORED_PAGES: Record<string, string> = {
  month: MONTH,
  months: `/${BENCH_GAME}/months`,
  lines: `${MONTH}/lines`,
  reversals: `${MONTH}/reversals`,
  reconciliation: `${MONTH}/reconciliation`,
  'open items': `${MONTH}/open-items`,
  recipients: `/${BENCH_GAME}/recipients`,
  recipient: `/${BENCH_GAME}/recipients/500001`,
  refunds: `/${BENCH_GAME}/refunds`,
};
const ROUTES: Record<string, string> = {
  'rows of recipients': `/${BENCH_GAME}/lists/recipients/rows?month=${FULL_MONTH}&sort=net_attributed_usd&dir=desc`,
  'rows of lines': `/${BENCH_GAME}/lists/renewals/rows?month=${FULL_MONTH}&sort=paid_at&dir=asc`,
  'rows of all recipients': `/${BENCH_GAME}/lists/all-recipients/rows?sort=recipient_player_id&dir=asc`,
  'rows of refunds': `/${BENCH_GAME}/lists/refunds/rows?sort=refund_id&dir=desc`,
};
const REQUESTS = 40;

/** The session's included. */
const STATEMENTS_MOST = 4;

const statements = (name: string): Work => ({
  work: `statements: ${name}`,
  unit: 'statements',
  beside: null,
  goal: { most: STATEMENTS_MOST },
});

/** G7: what a month costs, as one answer and as a page. */
export const monthPages: Goal = {
  id: 'G7',
  title: 'a month as one answer and as a page',
  rounds: 3,
  works: {
    answer: { work: 'all 2,000 recipients as one answer', unit: 'ms', beside: 'bare node building the same JSON', goal: { most: 0.5 } },
    page: { work: 'HTML of the month page', unit: 'ms', beside: 'empty signed-in page', goal: { most: 3 } },
    ...Object.fromEntries(Object.keys(STORED_PAGES).map((name) => [name, statements(`${name} page`)])),
    ...Object.fromEntries(Object.keys(ROUTES).map((name) => [name, statements(name)])),
  },
  open,
};

async function open(bench: Bench): Promise<Measurement> {
  const database = await openMonthDatabase(bench);
  const recorder = await startRecorder(database.databaseUrl);
  const web = await startWeb({ databaseUrl: database.databaseUrl, say: bench.say });
  // The recorder costs time: what is counted runs through it, what is timed does not.
  const recorded = await startWeb({ databaseUrl: recorder.url, say: bench.say });
  const all: SentQuery = { text: ALL_RECIPIENTS, values: [String(database.gameId)] };
  const bare = await startBareServer({ databaseUrl: database.databaseUrl, routes: { '/recipients': [all] } });
  const product = (path: string): HttpRequest => ({ url: `${web.origin}${path}`, headers: { cookie: web.cookie } });

  async function round(): Promise<Round> {
    const counted: [string, { figure: number }][] = [];
    for (const [name, path] of Object.entries({ ...STORED_PAGES, ...ROUTES })) {
      const request = { url: `${recorded.origin}${path}`, headers: { cookie: recorded.cookie } };
      await ask(request);
      const sent = await recorder.record(async () => {
        const { status } = await ask(request);
        if (status !== 200) throw new Error(`${path} answered ${status}`);
      });
      counted.push([name, { figure: sent.filter(isAboutRows).length }]);
    }
    const [named] = RECIPIENTS.exec(await (await fetch(`${web.origin}${MONTH}`, { headers: { cookie: web.cookie } })).text()) ?? [];
    const stored = `${MONTH}${named ?? '/table/recipients'}`;
    const isBuilt = (await ask(product(stored))).status === 200;
    const [answer, json] = isBuilt ? await askInTurn(product(stored), { url: `${bare.origin}/recipients` }, REQUESTS) : [[], []];
    const [page, empty] = await askInTurn(product(MONTH), product(EMPTY_PAGE), REQUESTS);
    return {
      answer: isBuilt ? { figure: median(answer), limit: median(json) } : NOT_BUILT,
      page: { figure: median(page), limit: median(empty) },
      ...Object.fromEntries(counted),
    };
  }
  return {
    round,
    close: async () => {
      await Promise.all([web.stop(), recorded.stop(), bare.stop()]);
      await recorder.close();
    },
  };
}
