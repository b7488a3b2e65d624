import type { IncomingMessage, ServerResponse } from 'node:http';
import { openTitle } from '../route.ts';
import type { State } from '../state/state.ts';
import { Refusal } from '../wire/answer.ts';
import { escapeHtml, readForm, sendPage } from '../wire/page.ts';
import { findSession, openSession, useSession } from './checkout.ts';

const ACTS = { pay: 'Pay', fail: 'Fail', cancel: 'Cancel' } as const;

/** The service's payment page for a link, with a button for each thing a player can do. It has no `/sandbox` in its path, in the sandbox too. */
export async function answerCheckoutPage(state: State, request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
  const form = request.method === 'POST' ? await readForm(request) : url.searchParams;
  const token = form.get('token') ?? '';
  const titles = (['production', 'sandbox', 'emberfall'] as const).map((environment) => openTitle(state, environment));
  const title = titles.find((each) => findSession(each, token) !== null);
  const session = title === undefined ? null : findSession(title, token);
  if (title === undefined || session === null) return sendPage(response, 404, 'Payment', '<p>This link is not valid.</p>');
  try {
    const act = form.get('act') as keyof typeof ACTS | null;
    if (request.method !== 'POST' || act === null) {
      openSession(title, session);
      state.save();
      return sendPage(response, 200, 'Payment', pageOf(session));
    }
    if (!(act in ACTS)) return sendPage(response, 400, 'Payment', '<p>Pay, fail or cancel.</p>');
    useSession(title, session, act);
    state.save();
    sendPage(response, 200, 'Payment', `<p>${{ pay: 'Paid.', fail: 'The card was declined.', cancel: 'Cancelled.' }[act]}</p>`);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    sendPage(response, error.status, 'Payment', `<p>${escapeHtml(error.message)} ${error.code ?? ''}</p>`);
  }
}

function pageOf({ token, usd, email }: { token: string; usd: string; email: string }): string {
  const buttons = Object.entries(ACTS).map(([act, label]) => `<button name="act" value="${act}">${label}</button>`);
  const hidden = `<input type="hidden" name="token" value="${escapeHtml(token)}">`;
  return `<p>${usd} USD for ${escapeHtml(email)}</p><form method="post" action="/checkout">${hidden}${buttons.join(' ')}</form>`;
}
