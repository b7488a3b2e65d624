import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { PlayerWallet } from '#app/[game]/players/[playerId]/player-wallet.tsx';
import { TransferCard } from '#app/[game]/transfers/[transactionId]/transfer-card.tsx';
import { InboundRows } from './_desk/inbound-rows.tsx';

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
  expect(wordsOf(card)).toMatch(/ Amount not readable .* Net amount not reported /);
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
