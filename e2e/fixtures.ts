import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { sql } from 'kysely';
import { type BrowserContext, test as base, expect, type Page } from 'playwright/test';
import { type Db, openDb } from '#db/kit/open.ts';
import { join } from '#e2e/observability/second-web.ts';
import { type RunningSharebook, runSharebook } from '#e2e/runner/run-sharebook.ts';
import { copySeed, FIXED_NOW, removeData } from '#e2e/runner/seeded-data.ts';
import { digestToken, makeToken, sessionCookieName, signToken } from '#lib/people/session-token.ts';
import { insertSession } from '#lib/people/writes/people.ts';
import { findFreePort } from '#lib/start/free-port.ts';
import { DEMO, type DemoRole } from './pages/demo-people.ts';
import { ownData } from './pages/simulated-invo.ts';

export { expect };

type SignedIn = Awaited<ReturnType<BrowserContext['storageState']>>;

interface Options {
  /** Who is signed in when the test begins; null: nobody. */
  role: DemoRole | null;
}

interface Fixtures {
  /** Opens a page as a demo person, or as nobody, beside the test's own page. All of them close with the test. */
  pageOf: (role: DemoRole | null) => Promise<Page>;
  /** An error in the console that a test causes on purpose. Any other error fails it. */
  allowConsoleError: (pattern: RegExp) => void;
  /** Fails on accessibility violations. */
  expectAccessible: (page: Page) => Promise<void>;
  cleanConsole: undefined;
  firstFailureIsFinal: undefined;
}

interface WorkerFixtures {
  /** Files that name a world have a worker, and so a Sharebook, that only files of that world change. Each world costs another start. */
  world: string;
  /** A new session of a demo person, as a sign-in makes it; sign-in.spec.ts uses the form. */
  signedIn: (role: DemoRole) => Promise<SignedIn>;
  /**
   * A Sharebook and a simulated Invo of this worker alone, over a copy of the seeded data: fourteen months pulled, nothing refunded.
   * After a failure Playwright starts a new worker, with new contexts.
   */
  sharebook: RunningSharebook;
}

/** A browser in which nothing may go wrong unseen: console errors, exceptions, broken policies and calls to other hosts fail a test. */
export const test = base.extend<Options & Fixtures, WorkerFixtures>({
  role: ['finance', { option: true }],
  storageState: async ({ role, signedIn }, use) => use(role === null ? NOBODY : await signedIn(role)),
  baseURL: async ({ sharebook }, use) => use(sharebook.origin),
  world: ['shared', { scope: 'worker', option: true }],
  signedIn: [
    async ({ sharebook: _ }, use) => {
      const joined = await join(ownData());
      const { db, close } = openDb(joined.env['DATABASE_MIGRATE_URL'] ?? '', { poolSize: 1 });
      await use(async (role) => {
        const value = await openSession(db, DEMO[role].email, joined.env['SHAREBOOK_AUTH_SECRET'] ?? '');
        return { cookies: [{ ...SESSION_COOKIE, name: sessionCookieName(ownOrigin()), value }], origins: [] };
      });
      await close();
      await joined.stop();
    },
    { scope: 'worker' },
  ],
  sharebook: [
    async ({ browser: _ }, use, worker) => {
      const port = await findFreePort();
      const data = path.join(RUN, `worker-${worker.workerIndex}`);
      Object.assign(process.env, { PORT: String(port), SHAREBOOK_DATA: data });
      copySeed(data);
      const sharebook = await runSharebook(port, data, { SHAREBOOK_NOW: FIXED_NOW });
      await use(sharebook);
      await sharebook.stop();
      await removeData(data);
    },
    { scope: 'worker', auto: true, timeout: 120_000 },
  ],
  pageOf: async ({ browser, signedIn }, use) => {
    const opened: BrowserContext[] = [];
    await use(async (role) => {
      // A context made inside a test inherits the signed-in session unless it gets a state of its own.
      const storageState = role === null ? NOBODY : await signedIn(role);
      const context = await browser.newContext({ baseURL: ownOrigin(), storageState });
      opened.push(context);
      return await context.newPage();
    });
    for (const context of opened) await context.close();
  },
  allowConsoleError: async ({ context: _ }, use, info) => {
    await use((pattern) => info.annotations.push({ type: EXPECTED_ERROR, description: pattern.source }));
  },
  firstFailureIsFinal: [
    async ({ browser: _ }, use, info) => {
      if (info.retry > 0 && info.tags.includes('@no-retry')) throw new Error('Tagged @no-retry: its first failure is final.');
      await use(undefined);
    },
    { auto: true },
  ],
  cleanConsole: [
    async ({ context }, use, info) => {
      const seen = watch(context);
      await use(undefined);
      const expected = info.annotations
        .filter(({ type }) => type === EXPECTED_ERROR)
        .map(({ description }) => new RegExp(description ?? ''));
      expect(
        seen.filter((error) => !expected.some((pattern) => pattern.test(error))),
        'console, exceptions and calls to other hosts',
      ).toEqual([]);
    },
    { auto: true },
  ],
  expectAccessible: async ({ context: _ }, use) => {
    await use(async (page) => {
      // Passed rules are not reported, and there are no frames of other origins: both halve the time.
      const { violations } = await new AxeBuilder({ page })
        .setLegacyMode(true)
        // Contrast: contrast.test.ts compares every pair of colours in both themes, and axe takes longest over it.
        .options({ resultTypes: ['violations'], rules: { 'color-contrast': { enabled: false } } })
        .exclude(ROWS_LIKE_THOSE_BEFORE)
        .analyze();
      const found = violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ target, any }) => `${target.join(' ')} (${any[0]?.message ?? ''})`).join('; ')}`,
      );
      expect(found, `accessibility of ${page.url()}`).toEqual([]);
    });
  },
});

// A long table draws some forty rows of one kind, and looking at each took most of the run.
const ROWS_LIKE_THOSE_BEFORE = '[role="grid"] [role="row"]:nth-child(n+9)';
const EXPECTED_ERROR = 'expected error';
const NOBODY: SignedIn = { cookies: [], origins: [] };
const SESSION_COOKIE = { domain: '127.0.0.1', path: '/', expires: -1, httpOnly: true, secure: false, sameSite: 'Lax' } as const;
/** Where the data of this run's workers lie. */
const RUN = path.resolve(import.meta.dirname, '..', process.env['SHAREBOOK_TEST_RUN'] ?? '.data/test/run-by-hand');

/** Where the Sharebook of this worker listens. */
export function ownOrigin(): string {
  return `http://127.0.0.1:${process.env['PORT']}`;
}

/** The value of a session cookie, as a sign-in and the password given once more make it. */
async function openSession(db: Db, email: string, authSecret: string): Promise<string> {
  const token = makeToken();
  const { id } = await db.selectFrom('person').select('id').where('email', '=', email).executeTakeFirstOrThrow();
  await insertSession(db, { personId: id, tokenDigest: digestToken(token), hasGivenCode: true });
  await sql`update person_session set proved_at = clock_now() where token_digest = ${digestToken(token)}`.execute(db);
  return signToken(token, authSecret);
}

function watch(context: BrowserContext): string[] {
  const seen: string[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error') seen.push(`${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (error) => seen.push(String(error.error())));
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== ownOrigin()) seen.push(`call to ${origin}`);
  });
  return seen;
}
