import { type Browser, chromium } from 'playwright';
import { openDb } from '#db/kit/open.ts';
import { findBrowser } from '#e2e/runner/browser.ts';
import type { Bench, Goal, Measurement, Reading, Round, Work } from './goal.ts';
import { fillDatabase } from './large-database/fill-database.ts';
import { startLargeServer } from './product/large-server.ts';
import { FULL_MONTH, openMonthBook } from './product/month-book.ts';
import { servePeers } from './product/peer-pages.ts';
import { fillPeers, PEER_COLUMNS } from './product/peer-rows.ts';
import { type ProbedFigures, type ProbedTable, probeBytes, probeTable } from './product/table-probe.ts';
import { BENCH_GAME, type RunningWeb, startWeb } from './product/web.ts';

const MONTH = `/${BENCH_GAME}/months/${FULL_MONTH}`;
const EMPTY_PAGE = `/${BENCH_GAME}/months/none`;
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

const perSize = (works: (size: Size) => Record<string, Work>): Record<string, Work> =>
  Object.assign({}, ...SIZES.map(works)) as Record<string, Work>;

/** G8: how soon a long table can be used. */
export const readyTables: Goal = {
  id: 'G8',
  title: 'a table of 2,000 and of 20,000 rows until it can be used',
  rounds: 5,
  works: {
    ...perSize((size) => ({
      [`ready_pooled_${size}`]: { work: `ready, ${NAMES[size]}`, unit: 'ms', beside: 'pooled DOM', goal: { most: 1.3 } },
      [`ready_ag_${size}`]: { work: `ready, ${NAMES[size]}`, unit: 'ms', beside: 'AG Grid', goal: { most: 0.5 } },
      [`jump_${size}`]: { work: `a jump shows its rows, ${NAMES[size]}`, unit: 'ms', beside: null, goal: { most: 100 } },
    })),
    bytes: { work: `bytes, ${NAMES['2k']}`, unit: 'kB', beside: 'empty signed-in page', goal: { most: 1.5 } },
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
    [`sort_${size}`]: { work: `sort, ${NAMES[size]}`, unit: 'ms', beside: null, goal: { most: size === '2k' ? 33 : 50 } },
  })),
  open: (bench) => open(bench, movingRound),
};

/** More rows than a browser holds: read by rank while they are scrolled to. */
const LIVE = '120,000 lines, live';
const LIVE_SIZE = { months: 1, slices_a_month: 6, per_slice: 20_000, snapshots_a_month: 1, recipients: 2_000, refunds: 1_000 };

/** G9, beyond what a browser holds: a place may be empty for a moment, and no longer. */
export const liveTable: Goal = {
  id: 'G9',
  title: 'flinging through and jumping in a table of 120,000 rows',
  rounds: 3,
  works: {
    blank_live: { work: `longest time without data in the middle, ${LIVE}`, unit: 'ms', beside: null, goal: { most: 100 } },
    jump_live: { work: `a jump shows its rows, ${LIVE}`, unit: 'ms', beside: null, goal: { most: 100 } },
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
      const { blank_ms, jump_ms, lateFrames } = await probeTable(browser, table);
      return { blank_live: { figure: blank_ms }, jump_live: { figure: jump_ms }, late_live: { figure: lateFrames } };
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
  web: RunningWeb;
  product: Record<Size, ProbedTable>;
  pooled: Record<Size, ProbedTable>;
  agGrid: Record<Size, ProbedTable>;
}

async function open(bench: Bench, round: (tables: Tables) => Promise<Round>): Promise<Measurement> {
  const book = await openMonthBook(bench);
  const { pool, close } = openDb(book.databaseUrl);
  const peers = await servePeers(bench, pool, fillPeers(book.gameId));
  await close();
  const web = await startWeb({ databaseUrl: book.databaseUrl, say: bench.say });
  const browser = await launchBrowser();
  const bySize = (table: (size: Size) => ProbedTable): Record<Size, ProbedTable> => ({ '2k': table('2k'), '20k': table('20k') });
  const peer = (page: string, size: Size): string =>
    `${peers.origin}/${page}.html?${new URLSearchParams({ rows: `/rows-${size}.json`, columns: JSON.stringify(PEER_COLUMNS[size]) })}`;
  const tables: Tables = {
    browser,
    web,
    product: bySize((size) => productTable(web, PAGE_OF[size], SORTED_BY[size].heading)),
    pooled: bySize((size) => ({
      url: peer('pooled', size),
      cookie: null,
      scroller: '#table',
      ready: '#table[data-ready]',
      isProduct: false,
      sortBy: `[data-column="${SORTED_BY[size].column}"]`,
      sortLabel: null,
    })),
    agGrid: bySize((size) => ({
      url: peer('ag-grid', size),
      cookie: null,
      scroller: '.ag-grid-viewport',
      ready: '#table[data-ready] [role=row] [role=gridcell]',
      isProduct: false,
      sortBy: `[role=columnheader][col-id="${SORTED_BY[size].column}"] .ag-header-cell-label`,
      sortLabel: null,
    })),
  };
  return {
    round: () => round(tables),
    close: async () => {
      await browser.close();
      await Promise.all([web.stop(), peers.close()]);
    },
  };
}

async function launchBrowser(): Promise<Browser> {
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
    sortBy: '[role=columnheader] button',
    sortLabel,
  };
}

async function readyRound({ browser, web, product, pooled, agGrid }: Tables): Promise<Round> {
  const readings: Record<string, Reading> = {};
  for (const size of SIZES) {
    const [theirs, ag, ours] = [
      await probeTable(browser, pooled[size]),
      await probeTable(browser, agGrid[size]),
      await probeTable(browser, product[size]),
    ];
    readings[`ready_pooled_${size}`] = { figure: ours.ready_ms, limit: theirs.ready_ms };
    readings[`ready_ag_${size}`] = { figure: ours.ready_ms, limit: ag.ready_ms };
    readings[`jump_${size}`] = { figure: ours.jump_ms };
    if (size === '2k')
      readings['bytes'] = {
        figure: ours.loaded_kB,
        limit: await probeBytes(browser, { url: `${web.origin}${EMPTY_PAGE}`, cookie: web.cookie }),
      };
  }
  return readings;
}

async function movingRound({ browser, product, pooled }: Tables): Promise<Round> {
  const readings: Record<string, Reading> = {};
  for (const size of SIZES) {
    const theirs: ProbedFigures = await probeTable(browser, pooled[size]);
    const ours = await probeTable(browser, product[size]);
    readings[`blank_${size}`] = { figure: ours.blankFrames };
    readings[`late_${size}`] = { figure: ours.lateFrames };
    readings[`p99_${size}`] = { figure: ours.p99Frame_ms, limit: theirs.p99Frame_ms };
    readings[`sort_${size}`] = { figure: ours.sort_ms };
  }
  return readings;
}
