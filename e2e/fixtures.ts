import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContext, test as base, expect, type Page } from 'playwright/test';
import { openMonths } from './pages/book.ts';
import { type DemoRole, signInAs } from './pages/sign-in-page.ts';

export { expect };

type SignedIn = Awaited<ReturnType<BrowserContext['storageState']>>;

interface Options {
  /** Who is signed in when the test begins; null: nobody. */
  role: DemoRole | null;
}

interface Fixtures {
  /** Trouble in the console that a test brings about on purpose; anything else fails it. */
  expectTrouble: (pattern: RegExp) => void;
  /** Fails on what hinders somebody who uses the screen by other means than a mouse and good eyes. */
  expectAccessible: (page: Page) => Promise<void>;
  calm: undefined;
}

interface WorkerFixtures {
  /** Signs each demo person in once for all tests. */
  signedIn: (role: DemoRole) => Promise<SignedIn>;
  /** The fourteen months of the simulated game are in the book. */
  pulled: undefined;
}

/** A browser in which nothing may go wrong unseen: console errors, exceptions, broken policies and calls to other hosts fail a test. */
export const test = base.extend<Options & Fixtures, WorkerFixtures>({
  role: ['finance', { option: true }],
  storageState: async ({ role, signedIn }, use) => use(role === null ? { cookies: [], origins: [] } : await signedIn(role)),
  signedIn: [
    async ({ browser, pulled: _ }, use) => {
      const known = new Map<DemoRole, SignedIn>();
      await use(async (role) => {
        const state = known.get(role) ?? (await signInOnce(browser, role, async () => undefined));
        known.set(role, state);
        return state;
      });
    },
    { scope: 'worker' },
  ],
  pulled: [
    async ({ browser }, use) => {
      await signInOnce(browser, 'viewer', openMonths);
      await use(undefined);
    },
    { scope: 'worker', timeout: 400_000 },
  ],
  expectTrouble: async ({ context: _ }, use, info) => {
    await use((pattern) => info.annotations.push({ type: TROUBLE, description: pattern.source }));
  },
  calm: [
    async ({ context }, use, info) => {
      const seen = watch(context);
      await use(undefined);
      const expected = info.annotations.filter(({ type }) => type === TROUBLE).map(({ description }) => new RegExp(description ?? ''));
      expect(
        seen.filter((trouble) => !expected.some((pattern) => pattern.test(trouble))),
        'console, exceptions and calls to other hosts',
      ).toEqual([]);
    },
    { auto: true },
  ],
  expectAccessible: async ({ context: _ }, use) => {
    await use(async (page) => {
      const { violations } = await new AxeBuilder({ page }).exclude(ROWS_LIKE_THOSE_BEFORE).analyze();
      const found = violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ target, any }) => `${target.join(' ')} (${any[0]?.message ?? ''})`).join('; ')}`,
      );
      expect(found, `accessibility of ${page.url()}`).toEqual([]);
    });
  },
});

// A long table draws some forty rows of one kind, and looking at each took most of the run.
const ROWS_LIKE_THOSE_BEFORE = '[role="grid"] [role="row"]:nth-child(n+9)';
const TROUBLE = 'expected trouble';

/** Where the Sharebook under test listens. */
export function ownOrigin(): string {
  return `http://127.0.0.1:${process.env['PORT'] ?? '3100'}`;
}

async function signInOnce(browser: Browser, role: DemoRole, andThen: (page: Page) => Promise<void>): Promise<SignedIn> {
  // Inside a test or its hooks a context takes over who is signed in there, unless it is told otherwise.
  const context = await browser.newContext({ baseURL: ownOrigin(), storageState: { cookies: [], origins: [] } });
  try {
    const page = await context.newPage();
    await signInAs(page, role);
    await andThen(page);
    return await context.storageState();
  } finally {
    await context.close();
  }
}

function watch(context: BrowserContext): string[] {
  const seen: string[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error') seen.push(`${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (trouble) => seen.push(String(trouble.error())));
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== ownOrigin()) seen.push(`call to ${origin}`);
  });
  return seen;
}
