import { formatInstant } from '../instant.ts';
import type { Json } from '../wire/answer.ts';
import { ASA_PHONE } from '../world/phones.ts';

/** One transfer of the demo, from game 41207 to Emberfall (41300) or within a game. */
export interface Transfer {
  transactionId: string;
  fromGame: string;
  toGame: string;
  transactionStatus: string;
  state: 'awaiting' | 'approved' | 'completed' | 'expired' | 'failed';
  amount: string;
  netAmount: string;
  /** Minutes from the clock until it can no longer be collected; null: not collectable. */
  claimMinutes: number | null;
  toPhone: string;
  /** Null: the number belongs to several players. */
  toIdentityId: string | null;
  guardian: 'pending' | 'approved' | 'rejected' | 'expired' | null;
}

const OUT = { fromGame: '41207', toGame: '41300', toPhone: ASA_PHONE, toIdentityId: 'idn_desk_910023', guardian: null } as const;

// 100.00 Lumens cost 2 % + 2 % + 1 % on the way.
const TRANSFERS: readonly Transfer[] = [
  {
    ...OUT,
    transactionId: 'TRF_7MIN',
    transactionStatus: 'pending_approval',
    state: 'awaiting',
    amount: '100.00',
    netAmount: '95.00',
    claimMinutes: null,
  },
  {
    ...OUT,
    transactionId: 'TRF_CLAIM',
    transactionStatus: 'pending_claim',
    state: 'approved',
    amount: '100.00',
    netAmount: '95.00',
    claimMinutes: 300,
  },
  {
    ...OUT,
    transactionId: 'TRF_DONE',
    transactionStatus: 'completed',
    state: 'completed',
    amount: '40.00',
    netAmount: '38.00',
    claimMinutes: null,
  },
  {
    ...OUT,
    transactionId: 'TRF_EXPIRED',
    transactionStatus: 'claim_expired',
    state: 'expired',
    amount: '60.00',
    netAmount: '57.00',
    claimMinutes: -120,
  },
  {
    ...OUT,
    transactionId: 'TRF_REFUNDED',
    transactionStatus: 'refunded',
    state: 'expired',
    amount: '15.00',
    netAmount: '14.25',
    claimMinutes: -2_880,
  },
  {
    ...OUT,
    transactionId: 'TRF_FAILED',
    transactionStatus: 'failed',
    state: 'failed',
    amount: '10.00',
    netAmount: '9.50',
    claimMinutes: null,
  },
  {
    ...OUT,
    transactionId: 'TRF_MINOR',
    transactionStatus: 'pending_approval',
    state: 'awaiting',
    amount: '20.00',
    netAmount: '19.00',
    claimMinutes: null,
    guardian: 'pending',
  },
  {
    ...OUT,
    transactionId: 'TRF_REFUSED',
    transactionStatus: 'failed',
    state: 'failed',
    amount: '20.00',
    netAmount: '19.00',
    claimMinutes: null,
    guardian: 'rejected',
  },
  {
    ...OUT,
    transactionId: 'TRF_SHARED',
    transactionStatus: 'pending_claim',
    state: 'approved',
    amount: '25.00',
    netAmount: '23.75',
    claimMinutes: 4_320,
    toIdentityId: null,
  },
  {
    ...OUT,
    transactionId: 'TRF_IN',
    fromGame: '41300',
    toGame: '41207',
    transactionStatus: 'pending_claim',
    state: 'approved',
    amount: '80.00',
    netAmount: '76.00',
    claimMinutes: 420,
  },
];

/** The transfer of an id that a game is a side of; null for any other. */
export function findTransfer(gameId: string, id: string): Transfer | null {
  return (
    TRANSFERS.find(({ transactionId, fromGame, toGame }) => transactionId === id && (fromGame === gameId || toGame === gameId)) ?? null
  );
}

/** Until when a transfer can be collected; null: it can't be. */
export function claimUntil({ claimMinutes }: Transfer, nowMs: number): string | null {
  return claimMinutes === null ? null : formatInstant(nowMs + claimMinutes * 60_000);
}

/** What waits to be collected in a game, as rows under plain names. */
export function pendingIn(gameId: string, nowMs: number, hasIdentity: boolean): Json[] {
  return TRANSFERS.filter(({ toGame, transactionStatus }) => toGame === gameId && transactionStatus === 'pending_claim').map(
    (transfer) => ({
      transaction_id: transfer.transactionId,
      source_game_id: transfer.fromGame,
      amount: transfer.amount,
      net_amount: transfer.netAmount,
      currency_name: gameId === '41300' ? 'Embers' : 'Lumens',
      to_phone: transfer.toPhone,
      ...(hasIdentity ? { to_identity_id: transfer.toIdentityId } : {}),
      claim_code_expires_at: claimUntil(transfer, nowMs),
    }),
  );
}
