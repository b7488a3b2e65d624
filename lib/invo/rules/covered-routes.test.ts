import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { sendJson } from '#e2e/support/invo/canned-server.ts';
import { talkTo } from '#e2e/support/invo/talk-to.ts';
import { parseActionKind } from '../../actions/rules/kinds.ts';
import type { Invo } from '../invo.ts';
import { readAttributionReport } from '../routes/attribution-report.ts';
import { beginGrant, pollGrant } from '../routes/device-grant.ts';
import { readLoyaltyCards } from '../routes/loyalty.ts';
import { readOffers, readVault } from '../routes/loyalty-of-player.ts';
import { readPeriodReport } from '../routes/period-report.ts';
import { readDestinations, readPhoneShare } from '../routes/phone-reads.ts';
import { mintPlayerToken } from '../routes/player-token.ts';
import { ACTION_ROUTE_NAMES, type ActionRouteName, isSentAsPlayer, sendAction } from '../routes/send-action.ts';
import { sendRefund } from '../routes/send-refund.ts';
import { sendAmountChange, sendCancellation, sendCardChange } from '../routes/subscription-changes.ts';
import { readSubscriptionReport } from '../routes/subscription-report.ts';
import { readBalancesOfPlayer, readCardsOfPlayer, readSubscription, readSubscriptionsOfPlayer } from '../routes/support-reads.ts';
import { readApprovalStatus, readTransferStatus } from '../routes/transfers.ts';
import { readInboundTransfers } from '../undocumented/inbound-transfers.ts';
import { readItemPurchases, readOrder } from '../undocumented/orders.ts';
import { readBalanceBatch, readRawWithdrawals, streamBalances } from '../undocumented/player-balances.ts';
import { COVERED_ROUTES, type CoveredRoute, FAMILY_LABELS, formatCoverage, formatRoute } from './covered-routes.ts';

/** Every path in Invo's three documents with its method, as `path method`; the method is `-` where the documents show none for it. */
const CONTRACT = fs
  .readFileSync(path.join(import.meta.dirname, '../../../e2e/golden/contract-routes.txt'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split(' '))
  .map(([named = '', method = '']) => ({ path: withoutNames(named), method: method === '-' ? null : method }));

function withoutNames(route: string): string {
  return route.replaceAll(/\{[a-z_]+\}/g, '{}');
}

const EMAIL = 'ana@players.example';
const TOKEN = 'a-token-of-a-player';
const CONTACT = { email: EMAIL, phone: '+4915112345678' };
const GRANT = { transactionId: 'TXN_7', flow: 'transfer', token: TOKEN };

/** A call of every route function. */
const CALLS: Record<string, (invo: Invo) => Promise<unknown>> = {
  readAttributionReport: (invo) =>
    readAttributionReport(invo, { start: '2026-09-01T00:00:00Z', end: '2026-10-01T00:00:00Z', limit: 100, offset: 0 }),
  readSubscriptionReport: (invo) => readSubscriptionReport(invo, 'sub_7'),
  readPeriodReport: (invo) => readPeriodReport(invo, 7),
  readSubscription: (invo) => readSubscription(invo, 'sub_7'),
  readSubscriptionsOfPlayer: (invo) => readSubscriptionsOfPlayer(invo, { playerEmail: EMAIL }),
  readBalancesOfPlayer: (invo) => readBalancesOfPlayer(invo, EMAIL),
  readCardsOfPlayer: (invo) => readCardsOfPlayer(invo, EMAIL),
  readOrder: async (invo) => {
    for (const book of ['currency', 'items'] as const) await readOrder(invo, book, 'ORD_7').catch(() => null);
  },
  readItemPurchases: (invo) => readItemPurchases(invo, EMAIL),
  readLoyaltyCards: (invo) => readLoyaltyCards(invo, EMAIL),
  readTransferStatus: (invo) => readTransferStatus(invo, 'TXN_7'),
  readApprovalStatus: (invo) => readApprovalStatus(invo, 'TXN_7'),
  readInboundTransfers: (invo) => readInboundTransfers(invo),
  readDestinations: (invo) => readDestinations(invo, CONTACT),
  readPhoneShare: (invo) => readPhoneShare(invo, CONTACT),
  beginGrant: (invo) => beginGrant(invo, GRANT),
  pollGrant: (invo) => pollGrant(invo, { ...GRANT, device_code: 'device-code', interval: 5 }),
  mintPlayerToken: (invo) => mintPlayerToken(invo, { email: EMAIL, identityId: 'idn_7' }),
  readOffers: (invo) => readOffers(invo, TOKEN),
  readVault: (invo) => readVault(invo, TOKEN),
  readBalanceBatch: (invo) => readBalanceBatch(invo, [EMAIL]),
  streamBalances: (invo) => streamBalances(invo),
  readRawWithdrawals: async (invo) => {
    for (const read of ['available-balance', 'history'] as const) await readRawWithdrawals(invo, read).catch(() => {});
  },
  sendRefund: (invo) => sendRefund(invo, { subscriptionId: 'sub_7', body: Buffer.from('{}') }),
  sendCancellation: (invo) => sendCancellation(invo, 'sub_7', { at_period_end: true, reason: 'asked' }),
  sendAmountChange: (invo) => sendAmountChange(invo, 'sub_7', '9.00'),
  sendCardChange: (invo) => sendCardChange(invo, 'sub_7', { player_card_id: 7, wallet_only: false }),
};

/** Sends one action of the desk, with the credential and the subject that its route takes. */
async function sendOne(invo: Invo, name: ActionRouteName): Promise<void> {
  const request = { body: Buffer.from('{}'), playerId: 7, token: isSentAsPlayer(name) ? TOKEN : null, sentBy: 'press' } as const;
  for (const subject of [null, '0b7e4a52-6f3c-4d8e-9a1b-5c2d3e4f5a6b'])
    await sendAction(invo, name, { ...request, subject }).catch(() => {});
}

/** The routes of `sendAction` that a page or a job calls; the others are prepared. */
const BUILT: readonly ActionRouteName[] = ACTION_ROUTE_NAMES.filter(
  (name) => parseActionKind(name) !== null || name === 'device_begin' || name === 'device_poll',
);

/** Calls of routes that no page, command or job makes yet: they are listed as not used. */
const PREPARED: Record<string, (invo: Invo) => Promise<unknown>> = {
  sendAction: async (invo) => {
    for (const name of ACTION_ROUTE_NAMES.filter((each) => !BUILT.includes(each))) await sendOne(invo, name);
  },
};

/** The names of all route functions, so that a new one has to be called above as well. */
async function namesOfRouteFunctions(): Promise<string[]> {
  const namesIn = (folder: string): string[] =>
    fs
      .readdirSync(path.join(import.meta.dirname, '..', folder))
      .flatMap((file) => (/^(?!.*\.test\.).*\.ts$/.test(file) ? path.parse(file).name : []));
  const modules = await Promise.all<object>([
    ...namesIn('routes').map((name) => import(`../routes/${name}.ts`)),
    ...namesIn('undocumented').map((name) => import(`../undocumented/${name}.ts`)),
  ]);
  return modules.flatMap((module) => Object.keys(module)).filter((name) => /^(read|send|stream|mint|begin|poll)[A-Z]/.test(name));
}

test('every route of the three documents is listed once, with the method the documents show', () => {
  const listed = COVERED_ROUTES.flatMap((route) => (route.path === null ? [] : [withoutNames(route.path)]));
  expect(listed.toSorted()).toEqual(CONTRACT.map((route) => route.path).toSorted());
  const differing = CONTRACT.filter(({ path: named, method }) => {
    const ours = COVERED_ROUTES.find((route) => route.path !== null && withoutNames(route.path) === named);
    return method === null ? ours?.use === 'write' : ours?.method !== method;
  });
  expect(differing).toEqual([]);
});

/** Makes calls, and finds the routes they go to; a call that goes to no route of the list fails the test. */
async function routesOf(calls: typeof CALLS): Promise<CoveredRoute[]> {
  const { invo, server } = await talkTo((_request, response) => sendJson(response, 404, {}));
  for (const call of Object.values(calls)) await call(invo).catch(() => {});
  const called = server.seen.map(({ method, url = '' }) => `${method} ${new URL(url, server.url).pathname}`);
  return [...new Set(called)].map((line) => {
    const [route] = COVERED_ROUTES.filter((each) => isCallOf(line, each)).toSorted((one, other) => holes(one) - holes(other));
    if (route === undefined) throw new Error(`${line} is no route of the contract`);
    return route;
  });
}

test('the routes listed as read or written are exactly those that the route functions call', async () => {
  expect((await namesOfRouteFunctions()).toSorted()).toEqual(Object.keys({ ...CALLS, ...PREPARED }).toSorted());
  const sendBuilt = async (invo: Invo): Promise<void> => {
    for (const name of BUILT) await sendOne(invo, name);
  };
  const used = COVERED_ROUTES.filter(({ use }) => use === 'read' || use === 'write');
  expect(pathsOf(await routesOf({ ...CALLS, sendBuilt }))).toEqual(pathsOf(used));
});

test('a route whose action doesn’t exist yet is listed as not used', async () => {
  const prepared = await routesOf(PREPARED);
  expect(prepared).toHaveLength(ACTION_ROUTE_NAMES.length - BUILT.length);
  expect(prepared.filter(({ use }) => use !== 'not_used')).toEqual([]);
});

function pathsOf(routes: CoveredRoute[]): (string | null)[] {
  return [...new Set(routes.map((route) => route.path))].toSorted();
}

test('routes are listed in the order of their heads, and no two read the same', () => {
  const families = COVERED_ROUTES.map(({ family }) => family);
  expect(families.filter((family, index) => families.indexOf(family) === index)).toEqual(Object.keys(FAMILY_LABELS));
  expect(new Set(COVERED_ROUTES.map(formatRoute)).size).toBe(COVERED_ROUTES.length);
});

test('the sentence above the routes counts each use', () => {
  const [read, write, unused] = (['read', 'write', 'not_used'] as const).map((use) => COVERED_ROUTES.find((route) => route.use === use));
  const routes = [read, read, write, unused].flatMap((route) => route ?? []);
  expect(formatCoverage(routes)).toBe('Invo’s contract names 4 routes. Sharebook reads 2, writes through 1 and doesn’t use 1.');
});

interface Listed {
  method: string | null;
  path: string | null;
}

function isCallOf(line: string, { method, path: named }: Listed): boolean {
  const pattern = withoutNames(named ?? '').replaceAll('{}', '[^/]+');
  return new RegExp(`^${method} ${pattern}$`).test(line);
}

/** A path with a placeholder also fits the name of a fixed one: the fixed one is meant. */
function holes({ path: named }: Listed): number {
  return withoutNames(named ?? '').split('{}').length;
}
