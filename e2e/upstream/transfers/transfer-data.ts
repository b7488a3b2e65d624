import { formatInstant } from '../instant.ts';
import type { Title } from '../route.ts';
import type { Desk, Guardian, Transfer } from '../state/desk.ts';
import type { Json } from '../wire/answer.ts';
import { phoneOf } from '../world/phones.ts';
import { SUPPORT_PEOPLE } from '../world/support-people.ts';
import { currencyOf } from '../world/tenants.ts';

/** A transfer of the demo, from game 41207 to Emberfall (41300) or the other way. */
interface Row {
  status: Transfer['transactionStatus'];
  verification: Transfer['verification'];
  amount: string;
  netAmount: string;
  /** Minutes from the clock until it can no longer be collected; absent: not collectable. */
  claimMinutes?: number;
  guardian?: Guardian['state'];
  /** Dara Finch's: her number is on file under another email too. */
  isShared?: boolean;
  isInbound?: boolean;
}

// 100.00 Lumens cost 2 % + 2 % + 1 % on the way.
const ROWS: Readonly<Record<string, Row>> = {
  TRF_7MIN: { status: 'pending_approval', verification: 'awaiting', amount: '100.00', netAmount: '95.00' },
  TRF_CLAIM: { status: 'pending_claim', verification: 'approved', amount: '100.00', netAmount: '95.00', claimMinutes: 300 },
  TRF_DONE: { status: 'completed', verification: 'completed', amount: '40.00', netAmount: '38.00' },
  TRF_EXPIRED: { status: 'claim_expired', verification: 'expired', amount: '60.00', netAmount: '57.00', claimMinutes: -120 },
  TRF_REFUNDED: { status: 'refunded', verification: 'expired', amount: '15.00', netAmount: '14.25', claimMinutes: -2_880 },
  TRF_FAILED: { status: 'failed', verification: 'failed', amount: '10.00', netAmount: '9.50' },
  TRF_MINOR: { status: 'pending_approval', verification: 'awaiting', amount: '20.00', netAmount: '19.00', guardian: 'pending' },
  TRF_REFUSED: { status: 'failed', verification: 'failed', amount: '20.00', netAmount: '19.00', guardian: 'rejected' },
  TRF_SHARED: {
    status: 'pending_claim',
    verification: 'approved',
    amount: '25.00',
    netAmount: '23.75',
    claimMinutes: 4_320,
    isShared: true,
  },
  TRF_IN: { status: 'pending_claim', verification: 'approved', amount: '80.00', netAmount: '76.00', claimMinutes: 420, isInbound: true },
};

const MINUTE_MS = 60_000;

function worldTransfer(id: string, row: Row, nowMs: number): Transfer {
  const isShared = row.isShared === true;
  const person = SUPPORT_PEOPLE[isShared ? 'dara.finch' : 'asa.venn'];
  const [fromGame, toGame] = row.isInbound === true ? ['41300', '41207'] : ['41207', '41300'];
  return {
    transactionId: id,
    orderId: `ORD_${id}`,
    kind: 'transfer',
    key: null,
    fromGame,
    toGame,
    sender: person,
    toEmail: person.email,
    toPhone: phoneOf(person.email) ?? '',
    toIdentityId: isShared ? null : person.identityId,
    amount: row.amount,
    netAmount: row.netAmount,
    transactionStatus: row.status,
    verification: row.verification,
    createdMs: nowMs - 3 * MINUTE_MS,
    approveUntilMs: nowMs + 7 * MINUTE_MS,
    claimCode: row.claimMinutes === undefined ? null : `canary-claim-code-${id}`,
    claimUntilMs: row.claimMinutes === undefined ? null : nowMs + row.claimMinutes * MINUTE_MS,
    guardian: row.guardian === undefined ? null : { approvalId: 'APR_1', state: row.guardian, expiresMs: nowMs + 48 * 60 * MINUTE_MS },
    isHeld: false,
    // The world's wallets have Asa Venn's coins reserved.
    isReserved: !isShared && (row.status === 'pending_approval' || row.status === 'pending_claim'),
  };
}

/** The tables of transfers that a game shares with the other game of its environment. */
export function sharedDesk({ state, environment }: Pick<Title, 'state' | 'environment'>): Desk {
  return state.desk(environment === 'sandbox' ? 'sandbox' : 'production');
}

/** The transfer of an id that a game is a side of; null for any other. */
export function findTransfer(title: Title, id: string): Transfer | null {
  const { gameId } = title.view.world;
  const row = Object.hasOwn(ROWS, id) ? ROWS[id] : undefined;
  const found = sharedDesk(title).transfers.get(id) ?? (row === undefined ? null : worldTransfer(id, row, title.view.nowMs));
  return found !== null && (found.fromGame === gameId || found.toGame === gameId) ? found : null;
}

/** The transfer into a game that a claim code collects; null: none. Codes of the world's transfers end in their id. */
export function findByClaimCode(title: Title, code: unknown): Transfer | null {
  const isOf = ({ claimCode, toGame }: Transfer): boolean => claimCode === code && toGame === title.view.world.gameId;
  return typeof code === 'string' ? (allTransfers(title).find(isOf) ?? null) : null;
}

/** Every transfer a game is a side of: first what was added, newest first. */
function allTransfers(title: Title): Transfer[] {
  const { transfers } = sharedDesk(title);
  const world = Object.keys(ROWS).filter((id) => !transfers.has(id));
  return [...[...transfers.keys()].reverse(), ...world].flatMap((id) => findTransfer(title, id) ?? []);
}

/** Until when a transfer can be collected; null: it can't be. */
export function claimUntil({ claimUntilMs }: Transfer): string | null {
  return claimUntilMs === null ? null : formatInstant(claimUntilMs);
}

/** What waits to be collected in a game, as rows under plain names. */
export function pendingIn(title: Title, hasIdentity: boolean): Json[] {
  const { gameId } = title.view.world;
  return allTransfers(title)
    .filter(({ toGame, transactionStatus }) => toGame === gameId && transactionStatus === 'pending_claim')
    .map((transfer) => ({
      transaction_id: transfer.transactionId,
      source_game_id: transfer.fromGame,
      amount: transfer.amount,
      net_amount: transfer.netAmount,
      currency_name: currencyOf(gameId).name,
      to_phone: transfer.toPhone,
      ...(hasIdentity ? { to_identity_id: transfer.toIdentityId } : {}),
      claim_code_expires_at: claimUntil(transfer),
    }));
}
