import { type Browser, chromium } from 'playwright';
import { openDb } from '#db/kit/open.ts';
import { findBrowser } from '#e2e/runner/browser.ts';
import type { Bench, Goal, Measurement, Reading, Round, Work } from './goal.ts';
import { fillDatabase } from './large-database/fill-database.ts';
import { startLargeServer } from './product/large-server.ts';
import { FULL_MONTH, openMonthDatabase } from './product/month-book.ts';
import { servePeers } from './product/peer-pages.ts';
import { fillPeers, PEER_COLUMNS } from './product/peer-rows.ts';
import { type ProbedPage, type ProbedTable, probeFling, probeJump, probePage, probeSort } from './product/table-probe.ts';
import { BENCH_GAME, type RunningWeb, startWeb } from './product/web.ts';

const MONTH = `/${BENCH_GAME}/months/${FULL_MONTH}`;
/**
 * A page of little but the signed-in frame, the same whatever is stored. A page that isn't found wouldn't do: its server sends no frame, and the browser
 * draws it all.
 */
const FRAME = '/settings/account';
const FRAME_NAME = 'signed-in frame without a table';
const SIZES = ['2k', '20k'] as const;
type Size = (typeof SIZES)[number];
const NAMES: Record<Size, string> = { '2k': '2,000 recipients', '20k': '20,000 lines' };
const PAGE_OF: Record<Size, string> = { '2k': MONTH, '20k': `${MONTH}/lines` };
/** The head each table is sorted by, which leads with other rows than before. */
const SORTED_BY: Record<Size, { heading: string; column: string }> = {
  '2k': { heading: 'Renewals', column: 'renewal_count' },
  '20k': { heading: 'Price', column: 'amount_usd' },
};
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--no-first-run'];

const READY_MOST: Record<Size, number> = { '2k': 1.25, '20k': 1.5 };
const SORT_MOST_MS: Record<Size, number> = { '2k': 33, '20k': 50 };

const perSize = (works: (size: Size) => Record<string, Work>): Record<string, Work> =>
  Object.assign({}, ...SIZES.map(works)) as Record<string, Work>;

/** G8: how soon a long table can be used. */
export const readyTables: Goal = {
  id: 'G8',
  title: 'a table of 2,000 and of 20,000 rows until it can be used',
  rounds: 5,
  works: {
    ...perSize((size) => ({
      [`ready_frame_${size}`]: { work: `ready, ${NAMES[size]}`, unit: 'ms', beside: FRAME_NAME, goal: { most: READY_MOST[size] } },
      [`ready_ag_${size}`]: { work: `ready, ${NAMES[size]}`, unit: 'ms', beside: 'AG Grid inside that frame', goal: { most: 0.8 } },
      [`paint_${size}`]: { work: `largest contentful paint, ${NAMES[size]}`, unit: 'ms', beside: null, goal: { most: 250 } },
      [`jump_${size}`]: { work: `a jump shows its rows, ${NAMES[size]}`, unit: 'ms', beside: null, goal: { most: 50 } },
    })),
    bytes: { work: `bytes, ${NAMES['2k']}`, unit: 'kB', beside: FRAME_NAME, goal: { most: 1.5 } },
  },
  open: (bench) => open(bench, readyRound),
};

/** G9: how a long table moves. */
export const movingTables: Goal = {
  id: 'G9',
  title: 'flinging through and sorting a table of 2,000 and of 20,000 rows',
  rounds: 5,
  works: perSize((size) => ({
    [`blank_${size}`]: { work: `frames without data in the middle, ${NAMES[size]}`, unit: 'frames', beside: null, goal: { most: 0 } },
    [`late_${size}`]: { work: `late frames, ${NAMES[size]}`, unit: '%', beside: null, goal: { most: 5 } },
    [`p99_${size}`]: { work: `p99 frame, ${NAMES[size]}`, unit: 'ms', beside: 'pooled DOM', goal: { most: 1.2 } },
    [`sort_${size}`]: { work: `sort, ${NAMES[size]}`, unit: 'ms', beside: null, goal: { most: SORT_MOST_MS[size] } },
  })),
  open: (bench) => open(bench, movingRound),
};

/** More rows than a browser holds: read by rank while they are scrolled to. */
const LIVE = '120,000 lines, live';
const LIVE_SIZE = { months: 1, slices_a_month: 6, per_slice: 20_000, snapshots_a_month: 1, recipients: 2_000, refunds: 1_000 };
const LIVE_MOST_MS = 150;

/** G9, beyond what a browser holds: rows may be missing during a fling, and not for long after it. */
export const liveTable: Goal = {
  id: 'G9',
  title: 'flinging through and jumping in a table of 120,000 rows',
  rounds: 3,
  works: {
    settled_live: { work: `rows are there after a fling, ${LIVE}`, unit: 'ms', beside: null, goal: { most: LIVE_MOST_MS } },
    jump_live: { work: `a jump shows its rows, ${LIVE}`, unit: 'ms', beside: null, goal: { most: LIVE_MOST_MS } },
    late_live: { work: `late frames, ${LIVE}`, unit: '%', beside: null, goal: { most: 5 } },
  },
  open: openLive,
};

async function openLive(bench: Bench): Promise<Measurement> {
  const server = await startLargeServer(bench);
  const databaseUrl = await fillDatabase(server, 'bench_table_120k', LIVE_SIZE, bench.say);
  const web = await startWeb({ databaseUrl, say: bench.say });
  const browser = await launchBrowser();
  const table = productTable(web, `/${BENCH_GAME}/months/2023-11/lines`, 'Price');
  return {
    round: async () => {
      const { settled_ms, lateFrames } = await probeFling(browser, table);
      return {
        settled_live: { figure: settled_ms },
        jump_live: { figure: await probeJump(browser, table) },
        late_live: { figure: lateFrames },
      };
    },
    close: async () => {
      await browser.close();
      await web.stop();
      await server.stop();
    },
  };
}

interface Tables {
  browser: Browser;
  product: Record<Size, ProbedTable>;
  frame: ProbedPage;
  agGrid: Record<Size, ProbedPage>;
  pooled: Record<Size, ProbedTable>;
}

async function open(bench: Bench, round: (tables: Tables) => Promise<Round>): Promise<Measurement> {
  const database = await openMonthDatabase(bench);
  const { db, close } = openDb(database.databaseUrl);
  const peers = await servePeers(bench, db, fillPeers(database.gameId));
  await close();
  const web = await startWeb({ databaseUrl: database.databaseUrl, say: bench.say });
  const browser = await launchBrowser();
  const bySize = <T>(table: (size: Size) => T): Record<Size, T> => ({ '2k': table('2k'), '20k': table('20k') });
  const peer = (file: string, size: Size): string =>
    `${peers.origin}/${file}?${new URLSearchParams({ rows: `/rows-${size}.json`, columns: JSON.stringify(PEER_COLUMNS[size]) })}`;
  const frame: ProbedPage = { url: `${web.origin}${FRAME}`, cookie: web.cookie, ready: 'main', isProduct: true, script: null };
  const tables: Tables = {
    browser,
    product: bySize((size) => productTable(web, PAGE_OF[size], SORTED_BY[size].heading)),
    frame,
    agGrid: bySize((size) => ({
      ...frame,
      ready: '#table[data-ready] [role=row] [role=gridcell]',
      // It is drawn when React has taken over the frame, and listens by itself.
      isProduct: false,
      script: peer('ag-grid.js', size),
    })),
    pooled: bySize((size) => ({
      url: peer('pooled.html', size),
      cookie: null,
      scroller: '#table',
      ready: '#table[data-ready]',
      isProduct: false,
      script: null,
      sortBy: `[data-column="${SORTED_BY[size].column}"]`,
      sortLabel: null,
    })),
  };
  // The first round is that of the compilers, in the server and in the browser.
  await round(tables);
  return {
    round: () => round(tables),
    close: async () => {
      await browser.close();
      await Promise.all([web.stop(), peers.close()]);
    },
  };
}

/** Starts the browser that the tests use. */
export async function launchBrowser(): Promise<Browser> {
  const found = await findBrowser(process.env);
  const env = Object.fromEntries(
    Object.entries({ ...process.env, ...found.env }).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  return await chromium.launch({ executablePath: found.executablePath, env, args: FLAGS });
}

function productTable({ origin, cookie }: RunningWeb, path: string, sortLabel: string): ProbedTable {
  return {
    url: `${origin}${path}`,
    cookie,
    scroller: '[role=grid]',
    ready: '[role=grid] [role=row][aria-rowindex="8"] [role=gridcell]',
    isProduct: true,
    script: null,
    sortBy: '[role=columnheader] button',
    sortLabel,
  };
}

async function readyRound({ browser, product, frame, agGrid }: Tables): Promise<Round> {
  const readings: Record<string, Reading> = {};
  for (const size of SIZES) {
    const [empty, ag] = [await probePage(browser, frame), await probePage(browser, agGrid[size])];
    const ours = await probePage(browser, product[size]);
    readings[`ready_frame_${size}`] = { figure: ours.ready_ms, limit: empty.ready_ms };
    readings[`ready_ag_${size}`] = { figure: ours.ready_ms, limit: ag.ready_ms };
    readings[`paint_${size}`] = { figure: ours.largestPaint_ms };
    readings[`jump_${size}`] = { figure: await probeJump(browser, product[size]) };
    if (size === '2k') readings['bytes'] = { figure: ours.loaded_kB, limit: empty.loaded_kB };
  }
  return readings;
}

async function movingRound({ browser, product, pooled }: Tables): Promise<Round> {
  const readings: Record<string, Reading> = {};
  for (const size of SIZES) {
    const theirs = await probeFling(browser, pooled[size]);
    const ours = await probeFling(browser, product[size]);
    readings[`blank_${size}`] = { figure: ours.blankFrames };
    readings[`late_${size}`] = { figure: ours.lateFrames };
    readings[`p99_${size}`] = { figure: ours.p99Frame_ms, limit: theirs.p99Frame_ms };
    readings[`sort_${size}`] = { figure: await probeSort(browser, product[size]) };
  }
  return readings;
}
