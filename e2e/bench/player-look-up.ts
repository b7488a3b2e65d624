import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright';
import { DEMO } from '#e2e/pages/demo-people.ts';
import { sendAction } from '#e2e/pages/send-action.ts';
import { runSharebook } from '#e2e/runner/run-sharebook.ts';
import { copySeed, FIXED_NOW, liftRateLimit, prepareSeed, removeData } from '#e2e/runner/seeded-data.ts';
import { SUPPORT_PEOPLE } from '#e2e/upstream/world/support-people.ts';
import { findFreePort } from '#lib/start/free-port.ts';
import { findSimulatedInvo } from '#lib/start/simulated-invo.ts';
import type { Bench, Goal, Measurement, Round } from './goal.ts';
import { launchBrowser } from './tables.ts';

/** How long the simulated Invo takes for each answer. Whatever it needs besides counts as Sharebook's. */
const INVO_MS = 200;
const WITHIN_MS = 20_000;
/** A pause before Enter: the search for local matches begins a quarter of a second after the last key. */
const TYPED_MS = 1_000;
/** Her wallet has no figure to wait for. */
const WITHOUT_CURRENCY = 'ilse.brand@';
/** Each is looked up once: Sharebook knows a subscriber after that. */
const STRANGERS = Object.values(SUPPORT_PEOPLE)
  .map(({ email }) => email)
  .filter((email) => !email.startsWith(WITHOUT_CURRENCY));
/** Recipients are known from the reports. Each comes again after more than a minute, when the wallet isn't fresh. */
const KNOWN = [9001, 9002, 9003, 9004, 9005, 9006, 9009, 9010, 9012, 9013, 9014, 9019].map((id) => `witness-${id}@creators.example`);

/** G19: how soon support sees a wallet. */
export const playerLookUp: Goal = {
  id: 'G19',
  title: "from Enter in the search to the player's page with the wallet, without Invo's own time",
  rounds: 5,
  works: {
    stranger: { work: 'Enter to the wallet, an email that only Invo knows', unit: 'ms', beside: null, goal: { most: 150 } },
    known: { work: 'Enter to the wallet, a player Sharebook knows', unit: 'ms', beside: null, goal: { most: 150 } },
  },
  open,
};

async function open({ folder, say }: Bench): Promise<Measurement> {
  const data = `${folder}/look-up`;
  await prepareSeed(say);
  await removeData(data);
  copySeed(data);
  const sharebook = await runSharebook(await findFreePort(), data, { SHAREBOOK_NOW: FIXED_NOW });
  const browser = await launchBrowser();
  const close = async (): Promise<void> => {
    await browser.close();
    await sharebook.stop();
    await removeData(data);
  };
  try {
    await liftRateLimit(data);
    await slowDown(data);
    const page = await signIn(browser, sharebook.origin);
    let index = 0;
    const lookUp = async (emails: readonly string[]): Promise<number> =>
      (await measureLookUp(page, sharebook.origin, emails[index % emails.length] ?? '')) - INVO_MS;
    const round = async (): Promise<Round> => {
      const figures = { stranger: { figure: await lookUp(STRANGERS) }, known: { figure: await lookUp(KNOWN) } };
      index += 1;
      return figures;
    };
    // The first look-ups are those of the compilers, in the server and in the browser.
    await round();
    return { round, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function slowDown(data: string): Promise<void> {
  const invo = await findSimulatedInvo(data);
  if (!invo) throw new Error('The simulated Invo doesn’t answer.');
  const answer = await fetch(`${invo.url}/__control/faults`, {
    method: 'POST',
    body: JSON.stringify([{ kind: 'slow', ms: INVO_MS, times: 10_000 }]),
  });
  if (!answer.ok) throw new Error(`The simulated Invo can’t be slowed down: ${answer.status}.`);
}

async function signIn(browser: Browser, origin: string): Promise<Page> {
  const { headers } = await sendAction({ origin, path: '/sign-in', action: 'signInAsDemoPerson', fields: { email: DEMO.support.email } });
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  for (const cookie of headers.getSetCookie()) {
    const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split('=', 2);
    await context.addCookies([{ name, value, url: origin }]);
  }
  return await context.newPage();
}

/** Milliseconds from the key to the frame in which the wallet's figures are drawn. */
async function measureLookUp(page: Page, origin: string, email: string): Promise<number> {
  await page.goto(`${origin}/demo/months`, { waitUntil: 'networkidle' });
  const input = page.getByRole('combobox', { name: /any id$/i });
  while (!(await input.isVisible())) {
    await page.keyboard.press('Control+k');
    await sleep(100);
  }
  await input.fill(email);
  await sleep(TYPED_MS);
  const measured = page.evaluate(
    (within_ms) =>
      new Promise<number>((resolve, reject) => {
        addEventListener(
          'keydown',
          () => {
            const pressed_ms = performance.now();
            const look = (): void => {
              const isThere = document.querySelector('[aria-label="Wallet balances"] td') !== null;
              if (isThere) resolve(performance.now() - pressed_ms);
              else if (performance.now() - pressed_ms > within_ms) reject(new Error('no wallet'));
              else requestAnimationFrame(look);
            };
            requestAnimationFrame(look);
          },
          { capture: true, once: true },
        );
      }),
    WITHIN_MS,
  );
  await sleep(100);
  await input.press('Enter');
  return await measured;
}
