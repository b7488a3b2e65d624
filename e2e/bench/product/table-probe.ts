import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright';

/** A page to measure until it can be used. */
export interface ProbedPage {
  url: string;
  /** Session of the product; null: a peer, which needs none. */
  cookie: string | null;
  /** Selector that matches once the page is ready; for the product, see `isProduct`. */
  ready: string;
  /** Whether what is drawn answers only when React has taken it over. */
  isProduct: boolean;
  /** Address of a script that is added to the page from its start; null: the page as it is served. */
  script: string | null;
}

/** A table to measure, by how it is found in its page. */
export interface ProbedTable extends ProbedPage {
  /** Selector of what scrolls. */
  scroller: string;
  /** Selector of what a click on sorts, and its text where the selector matches several. */
  sortBy: string;
  sortLabel: string | null;
}

export interface PageFigures {
  /** From the navigation until what is visible is drawn and answers a click. */
  ready_ms: number;
  /** From the navigation until the largest element of the first view is drawn. */
  largestPaint_ms: number;
  /** Of everything loaded for it, as it came over the wire, kB; without what a table loads after it is drawn. */
  loaded_kB: number;
}

export interface FlingFigures {
  /** Frames of a fling through the whole list after which the middle showed no data. */
  blankFrames: number;
  /** From the end of that fling until the middle shows data. */
  settled_ms: number;
  /** Frames that took more than one and a half of a display's, %. */
  lateFrames: number;
  p99Frame_ms: number;
}

const VIEWPORT = { width: 1440, height: 900 };
const FLING_FRAMES = 120;
const WITHIN_MS = 15_000;
/** What a page loads when it is idle comes later than half a second, which Playwright waits for. */
const QUIET_MS = 2_000;
/** The orders and filters of a table, which are loaded once its first rows are drawn. */
const LOADED_LATER = /-orders(\?|$)/;

// Each of these opens its page in a new context without a cache, so that nothing one has loaded helps another.

/** Measures a page until it can be used. */
export async function probePage(browser: Browser, probed: ProbedPage): Promise<PageFigures> {
  return await inNewPage(browser, probed, async (page, loaded) => {
    const ready_ms = await page.evaluate(waitUntilReady, { ...probed, within_ms: WITHIN_MS });
    for (let before = -1; loaded() !== before; await sleep(QUIET_MS)) before = loaded();
    return { ready_ms, largestPaint_ms: await page.evaluate(readLargestPaint), loaded_kB: loaded() / 1024 };
  });
}

/** Measures a jump to three fifths of a list until the row in the middle shows its data, in milliseconds. */
export function probeJump(browser: Browser, table: ProbedTable): Promise<number> {
  return inSettledTable(browser, table, (page) => page.evaluate(jump, { ...table, within_ms: WITHIN_MS }));
}

/** Measures a click on a head until the rows show another order, in milliseconds. */
export function probeSort(browser: Browser, table: ProbedTable): Promise<number> {
  return inSettledTable(browser, table, (page) => page.evaluate(sort, { ...table, within_ms: WITHIN_MS }));
}

/** Measures a fling through a whole list. */
export function probeFling(browser: Browser, table: ProbedTable): Promise<FlingFigures> {
  return inSettledTable(browser, table, (page) =>
    page.evaluate(flingThrough, { scroller: table.scroller, frames: FLING_FRAMES, within_ms: WITHIN_MS }),
  );
}

function inSettledTable<T>(browser: Browser, table: ProbedTable, work: (page: Page) => Promise<T>): Promise<T> {
  return inNewPage(browser, table, async (page) => {
    await page.evaluate(waitUntilReady, { ...table, within_ms: WITHIN_MS });
    await page.waitForLoadState('networkidle');
    return await work(page);
  });
}

async function inNewPage<T>(
  browser: Browser,
  { url, cookie, script }: Pick<ProbedPage, 'url' | 'cookie' | 'script'>,
  work: (page: Page, loaded: () => number) => Promise<T>,
): Promise<T> {
  // The product's content security policy allows no script of another origin.
  const context = await browser.newContext({ viewport: VIEWPORT, timezoneId: 'UTC', locale: 'en-GB', bypassCSP: script !== null });
  try {
    const [name = '', value = ''] = cookie?.split('=', 2) ?? [];
    // The address of a page alone would limit the cookie to its folder.
    if (cookie !== null) await context.addCookies([{ name, value, url: new URL('/', url).href }]);
    const page = await context.newPage();
    if (script !== null) await page.addInitScript(addScript, script);
    const network = await context.newCDPSession(page);
    await network.send('Network.enable');
    await network.send('Network.setCacheDisabled', { cacheDisabled: true });
    let loaded = 0;
    const later = new Set<string>();
    network.on('Network.requestWillBeSent', ({ requestId, request }) => {
      if (LOADED_LATER.test(request.url)) later.add(requestId);
    });
    network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (!later.has(requestId)) loaded += encodedDataLength;
    });
    await page.goto(url, { waitUntil: 'commit' });
    return await work(page, () => loaded);
  } finally {
    await context.close();
  }
}

// What follows runs in the page: each function is self-contained.

function addScript(source: string): void {
  const add = (): boolean => {
    if (document.head === null) return false;
    document.head.append(Object.assign(document.createElement('script'), { src: source }));
    return true;
  };
  if (add()) return;
  const observer = new MutationObserver(() => {
    if (add()) observer.disconnect();
  });
  observer.observe(document, { childList: true, subtree: true });
}

function readLargestPaint(): Promise<number> {
  return new Promise((resolve, reject) => {
    new PerformanceObserver((list) => {
      resolve(list.getEntries().at(-1)?.startTime ?? Number.NaN);
    }).observe({ type: 'largest-contentful-paint', buffered: true });
    setTimeout(() => reject(new Error('nothing was painted')), 5_000);
  });
}

function waitUntilReady({
  ready,
  isProduct,
  within_ms,
}: Pick<ProbedTable, 'ready' | 'isProduct'> & { within_ms: number }): Promise<number> {
  return new Promise((resolve, reject) => {
    const isReady = (): boolean => {
      const element = document.querySelector(ready);
      return element !== null && (!isProduct || Object.keys(element).some((key) => key.startsWith('__reactProps')));
    };
    const look = (): void => {
      if (isReady()) resolve(performance.now());
      else if (performance.now() > within_ms) reject(new Error(`not ready: ${ready}`));
      else requestAnimationFrame(look);
    };
    look();
  });
}

function jump({ scroller, within_ms }: { scroller: string; within_ms: number }): Promise<number> {
  const box = document.querySelector(scroller);
  if (box === null) throw new Error(`nothing scrolls: ${scroller}`);
  box.scrollIntoView({ block: 'center' });
  const { left, top, width, height } = box.getBoundingClientRect();
  const hasData = (): boolean => {
    const middle = document.elementFromPoint(left + width / 2, Math.min(top + height / 2, innerHeight - 20));
    return /\d/.test(middle?.closest('[role=row]')?.textContent ?? '');
  };
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    box.scrollTop = (box.scrollHeight - box.clientHeight) * 0.6;
    const look = (): void => {
      if (hasData()) resolve(performance.now() - startedAt);
      else if (performance.now() - startedAt > within_ms) reject(new Error('the jump shows no data'));
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(() => requestAnimationFrame(look));
  });
}

function sort({
  scroller,
  sortBy,
  sortLabel,
  within_ms,
}: Pick<ProbedTable, 'scroller' | 'sortBy' | 'sortLabel'> & { within_ms: number }): Promise<number> {
  const box = document.querySelector(scroller);
  const heads = [...document.querySelectorAll<HTMLElement>(sortBy)];
  const head = heads.find((each) => sortLabel === null || each.textContent.trim() === sortLabel);
  if (box === null || head === undefined) throw new Error(`no head ${sortBy}`);
  box.scrollIntoView({ block: 'center' });
  box.scrollTop = 0;
  const textOfMiddle = (): string => {
    const { left, top, width } = box.getBoundingClientRect();
    return document.elementFromPoint(left + width / 2, top + 120)?.closest('[role=row]')?.textContent ?? '';
  };
  return new Promise((resolve, reject) => {
    // Two frames, so that the rows at the top are drawn before their order changes.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        const before = textOfMiddle();
        const startedAt = performance.now();
        head.click();
        const look = (): void => {
          const now = textOfMiddle();
          if (/\d/.test(now) && now !== before) resolve(performance.now() - startedAt);
          else if (performance.now() - startedAt > within_ms) reject(new Error('the order did not change'));
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      }),
    );
  });
}

function flingThrough({ scroller, frames, within_ms }: { scroller: string; frames: number; within_ms: number }): Promise<FlingFigures> {
  const box = document.querySelector(scroller);
  if (box === null) throw new Error(`nothing scrolls: ${scroller}`);
  box.scrollIntoView({ block: 'center' });
  const { left, top, width, height } = box.getBoundingClientRect();
  const hasData = (): boolean => {
    const middle = document.elementFromPoint(left + width / 2, Math.min(top + height / 2, innerHeight - 20));
    return /\d/.test(middle?.closest('[role=row]')?.textContent ?? '');
  };
  return new Promise((resolve, reject) => {
    const took: number[] = [];
    let blankFrames = 0;
    let last = performance.now();
    const step = (): void => {
      const now = performance.now();
      if (took.length > 0 && !hasData()) blankFrames += 1;
      took.push(now - last);
      last = now;
      box.scrollTop = ((box.scrollHeight - box.clientHeight) * took.length) / frames;
      requestAnimationFrame(took.length < frames ? step : (): void => settle(performance.now(), now));
    };
    const settle = (now: number, ended: number): void => {
      if (took.length === frames) {
        if (!hasData()) blankFrames += 1;
        took.push(now - last);
      }
      if (!hasData()) {
        if (now - ended > within_ms) reject(new Error('the end of the fling shows no data'));
        else requestAnimationFrame(() => settle(performance.now(), ended));
        return;
      }
      const sorted = took.slice(1).toSorted((a, b) => a - b);
      resolve({
        blankFrames,
        settled_ms: now - ended,
        lateFrames: (100 * sorted.filter((ms) => ms > 25).length) / sorted.length,
        p99Frame_ms: sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0,
      });
    };
    requestAnimationFrame(step);
  });
}
