import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { ActionDetails } from '#lib/actions/reads/find-action.ts';
import { formatNoClaimWebhook } from '#lib/transfers/text.ts';
import { AllFields } from './_desk/answer-tree.tsx';
import { InboundRows } from './_desk/transfer-tables.tsx';
import { Attempts } from './actions/[actionId]/history.tsx';
import { LoyaltyCard } from './players/[playerId]/loyalty/loyalty-card.tsx';
import { ItemRows } from './players/[playerId]/orders/item-rows.tsx';
import { PlayerWallet } from './players/[playerId]/player-wallet.tsx';
import { TransferCard } from './transfers/[transactionId]/transfer-card.tsx';

const READ = { kind: 'live', readAt: '2026-11-23T08:00:00Z' } as const;

const nowhere = (): void => {};
const ROUTER = { bfcacheId: '', back: nowhere, forward: nowhere, refresh: nowhere, push: nowhere, replace: nowhere, prefetch: nowhere };

/** The words of a component, without its tags. */
function wordsOf(element: ReactElement): string {
  return renderToStaticMarkup(<AppRouterContext.Provider value={ROUTER}>{element}</AppRouterContext.Provider>)
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');
}

const transfer = {
  transactionId: 'T_1',
  transaction_status: null,
  verification_state: null,
  amount: null,
  net_amount: null,
  unreadable: ['amount'],
  claimCodeExpiresAt: null,
  isDestination: false,
  toPhone: null,
  toIdentityId: null,
  sharesNumber: false,
  tree: {},
};

test('a figure of coins that can’t be read is called that, and one that Invo left out is not reported', () => {
  const card = (
    <TransferCard
      read={{ ...READ, value: transfer }}
      approval={{ kind: 'not_found' }}
      events={[]}
      receivers={[]}
      game={{ slug: 'demo', timeZone: 'UTC' }}
    />
  );
  expect(wordsOf(card)).toMatch(/ Amount not readable .* After fees not reported /);
  const row = { transactionId: 'T_1', amounts: [], unreadable: ['amount'], currencyName: null, expiresAt: null, fields: {} };
  expect(wordsOf(<InboundRows slug="demo" rows={[row]} />)).toContain('not readable amount');
  expect(wordsOf(<InboundRows slug="demo" rows={[{ ...row, unreadable: [] }]} />)).toContain('no amount found');
  const held = {
    currency_id: '1',
    currency_name: 'Lumens',
    available_balance: '1.00',
    reserved_balance: null,
    total_balance: null,
    unreadable: ['total_balance' as const],
  };
  const player = { player_id: 7, player_name: null, player_email: null, identity_id: null, date_joined: null };
  const wallet = { ...READ, value: { player, balances: [held], summary: null, last_updated: null } };
  expect(wordsOf(<PlayerWallet balances={wallet} />)).toMatch(/1\.00 .*not reported .*not readable /);
});

test('of a very long answer the first values are shown, with a sentence that says so', () => {
  const tree = Array.from({ length: 30 }, (_, index) => ({ name: `row ${index}`, more: 1 }));
  // The list, then three values for each row.
  expect(wordsOf(<AllFields tree={tree} max={91} />)).toContain('row 29');
  expect(wordsOf(<AllFields tree={tree} max={91} />)).not.toContain('Only the first');
  const cut = wordsOf(<AllFields tree={tree} max={31} />);
  expect(cut).toContain('row 9 ');
  expect(cut).not.toContain('row 10');
  expect(cut).toContain('Only the first 31 values are shown.');
});

test('of a very long list the first 500 rows are shown', () => {
  const fields = Array.from({ length: 501 }, (_, index) => ({ order_id: `O_${index + 1}` }));
  const items = wordsOf(<ItemRows slug="demo" rows={fields} />);
  expect([items.includes('O_500'), items.includes('O_501')]).toEqual([true, false]);
  const rows = fields.map((row) => ({
    transactionId: row.order_id,
    amounts: [],
    unreadable: [],
    currencyName: null,
    expiresAt: null,
    fields: {},
  }));
  const waiting = wordsOf(<InboundRows slug="demo" rows={rows} />);
  expect([waiting.includes('O_500'), waiting.includes('O_501')]).toEqual([true, false]);
  expect(formatNoClaimWebhook(fields.map((row) => row.order_id))).toContain('O_20, and 481 others.');
});

test('an unreadable step or reward says so where it would be, and so does a list of them', () => {
  const step = { step_id: 'S_1', index: 0, action: null, label: 'Visit', summary: null, window_hours: null, state: 'open', progress: null };
  const absent =
    'status description window_ends_at completed_at completion_note completion_hours steps_complete steps_required reward brand art_url mode';
  const none = Object.fromEntries(absent.split(' ').map((name) => [name, null]));
  const known = { ...none, title: 'Harbour', steps: [step, null], rewards: null } as unknown as Parameters<typeof LoyaltyCard>[0]['card'];
  const words = wordsOf(<LoyaltyCard card={known} unreadable={['rewards']} timeZone="UTC" redeemHref={null} />);
  expect(words).toMatch(/Visit .*Open .*This step isn’t readable\./);
  expect(words).toContain('The rewards aren’t readable.');
  expect(words).not.toContain('The steps aren’t readable.');
  const many = { ...known, steps: Array.from({ length: 101 }, () => step) };
  expect(wordsOf(<LoyaltyCard card={many} unreadable={[]} timeZone="UTC" redeemHref={null} />)).toContain(
    'Showing the first 100 of 101 steps.',
  );
});

test('an attempt says whether Invo was reached, and one that the bank held up doesn’t say that it still waits', () => {
  const attempt = {
    attempt_no: 1,
    sentBy: null,
    committedAt: '2026-11-23T08:00:00Z',
    finishedAt: '2026-11-23T08:00:01Z',
    class: 'not_now',
    phase: 'not_sent',
    status: null,
    error_code: 'unreachable',
    error_id: null,
    words: null,
  } as const;
  const shown = (changed: Partial<ActionDetails['attempts'][number]>): string =>
    wordsOf(<Attempts action={{ attempts: [{ ...attempt, ...changed }] } as unknown as ActionDetails} timeZone="UTC" />);
  expect(shown({})).toContain('Nothing executed couldn’t reach Invo');
  expect(shown({ class: 'no_answer', phase: 'sent' })).toContain('No answer connection lost');
  expect(shown({ phase: 'answered', status: 200, error_code: 'requires_action' })).toContain('Bank check required');
});
