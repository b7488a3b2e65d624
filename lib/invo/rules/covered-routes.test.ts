import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { InvoClient } from '../client.ts';
import { sendJson } from '../testing/canned-server.ts';
import { talkTo } from '../testing/talk-to.ts';
import { COVERED_ROUTES, FAMILY_LABELS, formatCoverage, formatRoute } from './covered-routes.ts';

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

/** Every call of the client, so that a new one has to be listed as well. */
const CALLS: Record<keyof InvoClient, (client: InvoClient) => Promise<unknown>> = {
  attributionReport: (client) =>
    client.attributionReport({ start: '2026-09-01T00:00:00Z', end: '2026-10-01T00:00:00Z', limit: 100, offset: 0 }),
  subscriptionAttribution: (client) => client.subscriptionAttribution('sub_7'),
  periodReport: (client) => client.periodReport(7),
  subscription: (client) => client.subscription('sub_7'),
  playerSubscriptions: (client) => client.playerSubscriptions({ playerEmail: 'ana@players.example' }),
  playerBalances: (client) => client.playerBalances('ana@players.example'),
  playerCards: (client) => client.playerCards('ana@players.example'),
  order: async (client) => {
    for (const book of ['currency', 'items'] as const) await client.order(book, 'ORD_7').catch(() => null);
  },
  itemHistory: (client) => client.itemHistory('ana@players.example'),
  loyaltyCards: (client) => client.loyaltyCards('ana@players.example'),
  transferStatus: (client) => client.transferStatus('TXN_7'),
  approvalStatus: (client) => client.approvalStatus('TXN_7'),
  inboundPending: (client) => client.inboundPending(),
  batchBalances: (client) => client.batchBalances(['ana@players.example']),
  streamBalances: (client) => client.streamBalances(),
  withdrawals: async (client) => {
    for (const read of ['available-balance', 'history'] as const) await client.withdrawals(read).catch(() => {});
  },
  sendRefund: (client) => client.sendRefund({ subscriptionId: 'sub_7', body: Buffer.from('{}') }),
  cancelSubscription: (client) => client.cancelSubscription('sub_7', { at_period_end: true, reason: 'asked' }),
  changeAmount: (client) => client.changeAmount('sub_7', '9.00'),
  changeCard: (client) => client.changeCard('sub_7', { player_card_id: 7, wallet_only: false }),
};

test('every route of the three documents is listed once, with the method the documents show', () => {
  const listed = COVERED_ROUTES.flatMap((route) => (route.path === null ? [] : [withoutNames(route.path)]));
  expect(listed.toSorted()).toEqual(CONTRACT.map((route) => route.path).toSorted());
  const differing = CONTRACT.filter(({ path: named, method }) => {
    const ours = COVERED_ROUTES.find((route) => route.path !== null && withoutNames(route.path) === named);
    return method === null ? ours?.use === 'write' : ours?.method !== method;
  });
  expect(differing).toEqual([]);
});

test('the routes listed as read or written are exactly those the client calls', async () => {
  const { client, server } = await talkTo((_request, response) => sendJson(response, 404, {}));
  for (const call of Object.values(CALLS)) await call(client).catch(() => {});
  const called = server.seen.map(({ method, url = '' }) => `${method} ${new URL(url, server.url).pathname}`);
  expect(Object.keys(client).toSorted()).toEqual(Object.keys(CALLS).toSorted());
  const used = COVERED_ROUTES.filter(({ use }) => use === 'read' || use === 'write');
  const matched = called.map(
    (line) => used.filter((route) => isCallOf(line, route)).toSorted((one, other) => holes(one) - holes(other))[0]?.path,
  );
  expect(called.filter((_line, index) => matched[index] === undefined)).toEqual([]);
  expect([...new Set(matched)].toSorted()).toEqual(used.map((route) => route.path).toSorted());
});

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
