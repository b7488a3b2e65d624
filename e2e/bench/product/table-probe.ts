import type { Browser, Page } from 'playwright';

/** A table to measure, by how it is found in its page. */
export interface ProbedTable {
  url: string;
  /** Session of the product; null: a peer, which needs none. */
  cookie: string | null;
  /** Selector of what scrolls. */
  scroller: string;
  /** Selector that matches once the page is ready; for the product, see `isProduct`. */
  ready: string;
  /** Whether rows are ready only when React has taken them over. */
  isProduct: boolean;
  /** Selector of what a click on sorts, and its text where the selector matches several. */
  sortBy: string;
  sortLabel: string | null;
}

export interface ProbedFigures {
  /** From the navigation until the visible rows are drawn and answer a click. */
  ready_ms: number;
  /** Of everything loaded for it, as it came over the wire, kB. */
  loaded_kB: number;
  /** From a jump to three fifths of the list until the row in the middle shows its data. */
  jump_ms: number;
  sort_ms: number;
  /** Frames of a fling through the whole list after which the middle showed no data. */
  blankFrames: number;
  /** The longest time in that fling without data in the middle. */
  blank_ms: number;
  /** Frames that took more than one and a half of a display's, %. */
  lateFrames: number;
  p99Frame_ms: number;
}

const VIEWPORT = { width: 1440, height: 900 };
const FLING_FRAMES = 120;
const WITHIN_MS = 15_000;

/** Opens a table in a new context without a cache and measures it. */
export async function probeTable(browser: Browser, table: ProbedTable): Promise<ProbedFigures> {
  return await inNewPage(browser, table, async (page, loaded) => {
    const ready_ms = await page.evaluate(waitUntilReady, { ...table, within_ms: WITHIN_MS });
    await page.waitForLoadState('networkidle');
    const loaded_kB = loaded() / 1024;
    const jump_ms = await page.evaluate(jump, { scroller: table.scroller, within_ms: WITHIN_MS });
    const sort_ms = await page.evaluate(sort, { ...table, within_ms: WITHIN_MS });
    return { ready_ms, loaded_kB, jump_ms, sort_ms, ...(await fling(browser, table)) };
  });
}

/** The bytes of a page that shows no table, kB. */
export async function probeBytes(browser: Browser, { url, cookie }: Pick<ProbedTable, 'url' | 'cookie'>): Promise<number> {
  return await inNewPage(browser, { url, cookie }, async (page, loaded) => {
    await page.waitForLoadState('networkidle');
    return loaded() / 1024;
  });
}

/** A page of its own, so that no row the jump or the sort has loaded helps the fling. */
function fling(
  browser: Browser,
  table: ProbedTable,
): Promise<Pick<ProbedFigures, 'blankFrames' | 'blank_ms' | 'lateFrames' | 'p99Frame_ms'>> {
  return inNewPage(browser, table, async (page) => {
    await page.evaluate(waitUntilReady, { ...table, within_ms: WITHIN_MS });
    await page.waitForLoadState('networkidle');
    return await page.evaluate(flingThrough, { scroller: table.scroller, frames: FLING_FRAMES });
  });
}

async function inNewPage<T>(
  browser: Browser,
  { url, cookie }: Pick<ProbedTable, 'url' | 'cookie'>,
  work: (page: Page, loaded: () => number) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({ viewport: VIEWPORT, timezoneId: 'UTC', locale: 'en-GB' });
  try {
    const [name = '', value = ''] = cookie?.split('=', 2) ?? [];
    if (cookie !== null) await context.addCookies([{ name, value, url }]);
    const page = await context.newPage();
    const network = await context.newCDPSession(page);
    await network.send('Network.enable');
    await network.send('Network.setCacheDisabled', { cacheDisabled: true });
    let loaded = 0;
    network.on('Network.loadingFinished', ({ encodedDataLength }) => {
      loaded += encodedDataLength;
    });
    await page.goto(url, { waitUntil: 'commit' });
    return await work(page, () => loaded);
  } finally {
    await context.close();
  }
}

// What follows runs in the page: each function is self-contained.

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

function flingThrough({
  scroller,
  frames,
}: {
  scroller: string;
  frames: number;
}): Promise<Pick<ProbedFigures, 'blankFrames' | 'blank_ms' | 'lateFrames' | 'p99Frame_ms'>> {
  const box = document.querySelector(scroller);
  if (box === null) throw new Error(`nothing scrolls: ${scroller}`);
  box.scrollIntoView({ block: 'center' });
  const { left, top, width, height } = box.getBoundingClientRect();
  const hasData = (): boolean => {
    const middle = document.elementFromPoint(left + width / 2, Math.min(top + height / 2, innerHeight - 20));
    return /\d/.test(middle?.closest('[role=row]')?.textContent ?? '');
  };
  return new Promise((resolve) => {
    const took: number[] = [];
    let blankFrames = 0;
    let blank_ms = 0;
    let seen = performance.now();
    let last = performance.now();
    const step = (): void => {
      const now = performance.now();
      if (took.length === 0 || hasData()) seen = now;
      else {
        blankFrames += 1;
        blank_ms = Math.max(blank_ms, now - seen);
      }
      took.push(now - last);
      last = now;
      if (took.length <= frames) {
        box.scrollTop = ((box.scrollHeight - box.clientHeight) * took.length) / frames;
        requestAnimationFrame(step);
        return;
      }
      const sorted = took.slice(1).toSorted((a, b) => a - b);
      resolve({
        blankFrames,
        blank_ms,
        lateFrames: (100 * sorted.filter((ms) => ms > 25).length) / sorted.length,
        p99Frame_ms: sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0,
      });
    };
    requestAnimationFrame(step);
  });
}
