import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Title } from '../route.ts';
import type { Grant } from '../state/desk.ts';
import type { State } from '../state/state.ts';
import { findTransfer } from '../transfers/transfer-data.ts';
import { Refusal } from '../wire/answer.ts';
import { escapeHtml, readForm, sendPage } from '../wire/page.ts';
import { currencyOf, findTenant } from '../world/tenants.ts';
import { findByUserCode, usePhone } from './grants.ts';

const ACTS = { approve: 'Approve', deny: 'Deny', enrol: 'New phone' } as const;

/** The service's page on the player's phone: what the code on the screen is for, and a button for each answer. */
export async function answerPhonePage(state: State, request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
  const form = request.method === 'POST' ? await readForm(request) : url.searchParams;
  const found = findByUserCode(state, (form.get('code') ?? '').trim().toUpperCase());
  if (found === null) return sendPage(response, 404, 'Approval', '<p>This code is not valid.</p>');
  try {
    const act = form.get('act') as keyof typeof ACTS | null;
    if (request.method !== 'POST' || act === null) return sendPage(response, 200, 'Approval', pageOf(found));
    if (!(act in ACTS)) return sendPage(response, 400, 'Approval', '<p>Approve, deny or set up a new phone.</p>');
    const { enrolment } = usePhone(found.title, found.grant, act);
    state.save();
    const words = {
      approve: 'Approved.',
      deny: 'Denied.',
      enrol: `Compare ${enrolment?.matchCode ?? ''} with the screen, then approve here.`,
    }[act];
    sendPage(response, 200, 'Approval', `<p>${words}</p>${act === 'enrol' ? pageOf(found) : ''}`);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    sendPage(response, error.status, 'Approval', `<p>${escapeHtml(error.message)} ${error.code ?? ''}</p>`);
  }
}

function pageOf({ title, grant }: { title: Title; grant: Grant }): string {
  const transfer = findTransfer(title, grant.transactionId);
  if (transfer === null) return '<p>This transaction is over.</p>';
  const { amount, netAmount, fromGame, toGame, sender } = transfer;
  const isReceipt = grant.flow === 'transfer_receipt';
  const [gameId, coins] = isReceipt ? [toGame, netAmount] : [fromGame, amount];
  const game = findTenant(gameId, title.view.world.gameId)?.name ?? gameId;
  const what = `${game}: ${isReceipt ? 'receive' : 'send'} ${coins} ${currencyOf(gameId).name}, ${sender.name}`;
  const buttons = Object.entries(ACTS).map(([act, label]) => `<button name="act" value="${act}">${label}</button>`);
  const hidden = `<input type="hidden" name="code" value="${escapeHtml(grant.userCode)}">`;
  return `<p>${escapeHtml(what)}</p><form method="post" action="/phone">${hidden}${buttons.join(' ')}</form>`;
}
