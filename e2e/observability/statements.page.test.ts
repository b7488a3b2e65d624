import { test } from 'vitest';
import { IS_CLUSTER } from '#e2e/citus/test-cluster.ts';
import { type Counted, expectFewStatements } from '#e2e/pages/statement-counts.ts';
import { request, requestRefund, send } from '#e2e/pages/visit.ts';

/**
 * How many statements each page and route may send to the database, with one for the session. The goal:
 * four for a page that shows stored figures, three for its routes. Those that ask Invo add a fixed number for each call: its turns in the rate budget,
 * and storing the answer; a call of loyalty takes a turn in two budgets. Those that need a payout run are in `payouts/two-people.spec.ts`. Lower a number when its page needs fewer; never raise one.
 */
/** One route answers for every list. */
const ROWS = '/[game]/lists/[list]/rows';

const STATEMENTS_MAX: Record<string, Counted> = {
  '/[game]': { path: '/demo', max: 4 },
  '/[game]/players': { path: '/demo/players', max: 3 },
  '/[game]/exceptions': { path: '/demo/exceptions', max: 4 },
  'rows of exceptions': { route: ROWS, path: '/demo/lists/exceptions/rows?sort=at&dir=desc&chip=all&limit=200', max: 2 },
  '/[game]/months': { path: '/demo/months', max: 4 },
  '/[game]/months/[month]': { path: '/demo/months/2026-10', max: 4 },
  '/[game]/months/[month]/[sheet]': { path: '/demo/months/2026-10/lines', max: 4 },
  '/[game]/months/[month]/open-items': { path: '/demo/months/2026-10/open-items', max: 4 },
  '/[game]/months/[month]/fees': { path: '/demo/months/2026-10/fees', max: 4 },
  '/[game]/months/[month]/reconciliation': { path: '/demo/months/2026-10/reconciliation', max: 4 },
  'rows of the recipients of a month': {
    route: ROWS,
    path: '/demo/lists/recipients/rows?month=2026-10&sort=net_attributed_usd&dir=desc&chip=all&limit=200',
    max: 3,
  },
  '/[game]/months/[month]/export/[sheet]': { path: '/demo/months/2026-10/export/recipients', max: 8 },
  '/[game]/recipients': { path: '/demo/recipients', max: 4 },
  'rows of all recipients': {
    route: ROWS,
    path: '/demo/lists/all-recipients/rows?sort=net_attributed_usd&dir=desc&chip=all&limit=200',
    max: 3,
  },
  '/[game]/recipients/[playerId]': { path: '/demo/recipients/500001', max: 4 },
  '/[game]/refunds': { path: '/demo/refunds', max: 4 },
  'rows of refunds': { route: ROWS, path: '/demo/lists/refunds/rows?sort=refund_id&dir=desc&chip=all&limit=200', max: 2 },
  '/[game]/refunds/[refundId]': { path: '/demo/refunds/1', max: 4 },
  '/[game]/actions': { path: '/demo/actions', max: 4 },
  'rows of actions': { route: ROWS, path: '/demo/lists/actions/rows?sort=action_id&dir=desc&chip=all&limit=200', max: 2 },
  '/[game]/lists/[list]/file': { path: '/demo/lists/refunds/file', max: 4 },
  '/[game]/jobs/[kind]/[id]': { path: '/demo/jobs/pull/1', max: 2 },
  '/notices': { path: '/notices', max: 4 },
  // On a cluster: also its servers, and where each game lies.
  '/settings': { path: '/settings', max: IS_CLUSTER ? 10 : 4 },
  '/settings/account': { path: '/settings/account', max: 3 },
  '/settings/desk-actions/[game]': { path: '/settings/desk-actions/demo', max: 4 },
  '/audit': { path: '/audit', max: 3 },
  '/audit/export': { path: '/audit/export', max: 4 },
  '/[game]/subscriptions/[subscriptionId]': { path: '/demo/subscriptions/SUB_1733565600_DESKTHEO', max: 51 },
  '/[game]/subscriptions/[subscriptionId]/cancel': { path: '/demo/subscriptions/SUB_1733565600_DESKTHEO/cancel', max: 18 },
  '/[game]/subscriptions/[subscriptionId]/card': { path: '/demo/subscriptions/SUB_1733565600_DESKTHEO/card', max: 26 },
  '/[game]/subscriptions/[subscriptionId]/price': { path: '/demo/subscriptions/SUB_1733565600_DESKTHEO/price', max: 18 },
  '/[game]/periods/[periodId]': { path: '/demo/periods/2026100013', max: 21 },
  '/[game]/periods/[periodId]/refund': { path: '/demo/periods/2026100013/refund', max: 51 },
  '/[game]/players/[playerId]': { path: '/demo/players/9010', max: 28 },
  '/[game]/players/[playerId]/cards': { path: '/demo/players/9010/cards', max: 30 },
  '/[game]/players/[playerId]/orders': { path: '/demo/players/9010/orders', max: 33 },
  '/[game]/players/[playerId]/subscriptions': { path: '/demo/players/9010/subscriptions', max: 31 },
  '/[game]/players/[playerId]/loyalty': { path: '/demo/players/9010/loyalty', max: 33 },
  '/[game]/players/[playerId]/transfers': { path: '/demo/players/9010/transfers', max: 13 },
  '/[game]/orders/[orderId]': { path: '/demo/orders/ORD_BREE_03', max: 26 },
  '/[game]/transfers': { path: '/demo/transfers', max: 13 },
  '/[game]/transfers/[transactionId]': { path: '/demo/transfers/TRF_CLAIM', max: 26 },
};

test('no page and no route sends more statements than it may', async () => {
  await requestRefund(2024128015);
  const details = { game: 'demo', month: '2026-08', cardPeriods: 'off', subscriptions: 'off' };
  await send('chooseDetailsAction', '/demo/months/2026-08/fees', details, 'admin');
  const read = async (path: string): Promise<{ status: number; text: string }> => {
    const answer = await request(path, 'admin');
    return { status: answer.status, text: await answer.text() };
  };
  await expectFewStatements(read, STATEMENTS_MAX);
});
