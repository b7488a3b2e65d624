import { expect, type Page } from 'playwright/test';
import { ownOrigin } from '../fixtures.ts';
import { sendAction } from './send-action.ts';
import { ShownPage } from './shown-page.ts';

/** Starts the run of a month as the person of that page and answers each item of its close, by the requests that the forms send. */
export async function prepareRun(page: Page, month: string): Promise<void> {
  await post(page, closeOf(month), 'startAction', { game: 'demo', month });
  await answerItems(page, month);
}

/** Answers what is left of the close of a draft and submits it, once the re-check that runs beside is done. */
export async function submitRun(page: Page, month: string): Promise<void> {
  await answerItems(page, month);
  let shown = await look(page, closeOf(month));
  const isReady = async (): Promise<boolean> => {
    shown = await look(page, closeOf(month));
    return !shown.main.button(/^Submit .* for approval$/).isDisabled;
  };
  await expect.poll(isReady, { timeout: 60_000 }).toBe(true);
  await post(page, closeOf(month), 'submitAction', shown.forms.find((fields) => 'draftDigest' in fields) ?? {});
}

async function answerItems(page: Page, month: string): Promise<void> {
  for (const form of (await look(page, closeOf(month))).forms) {
    if ('checkKey' in form) await post(page, closeOf(month), 'noteAction', { ...form, note: 'Checked against the evidence.' });
    if ('renewalCount' in form) {
      const found = { conclusion: 'raised_with_invo', note: 'Invo traced it to a cancelled test order.' };
      await post(page, closeOf(month), 'findingAction', { ...form, ...found });
    }
  }
}

const closeOf = (month: string): string => `/demo/months/${month}/close`;

/** Requests a page with the session of a browser page. */
export async function look(page: Page, path: string): Promise<ShownPage> {
  const answer = await page.request.get(path);
  return new ShownPage({ status: answer.status(), path, html: await answer.text() });
}

/** Sends a form as the person of a page. Fails unless it is done. */
export async function post(page: Page, path: string, action: string, fields: Record<string, string>): Promise<void> {
  const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  const { target, result } = await sendAction({ origin: ownOrigin(), path, action, fields, cookie });
  if (target === null) expect(result, action).toMatchObject({ kind: 'done' });
}
