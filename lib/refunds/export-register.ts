import type { Db } from '#db/kit/open.ts';
import { recordAudit } from '#db/people/writes/audit.ts';
import { type RefundFilter, streamRefunds } from '#db/refunds/reads/list-refunds.ts';
import { type SheetColumn, writeHeader, writeRow } from '../core/csv.ts';
import type { GameOfSheet, SheetFile } from '../evidence/export-sheet.ts';

export interface AskedRegister {
  filter: RefundFilter;
  /** The instant it is taken at, ISO 8601 ending in Z: refunds move on, so the file is of that moment. */
  takenAt: string;
  /** E-mail of who takes it. */
  takenBy: string;
}

/** Writes the refunds a filter leaves, oldest first, one row a refund. It is Sharebook's own book, so there is no statement of Invo behind it. */
export async function exportRegister(
  db: Db,
  game: GameOfSheet,
  { filter, takenAt, takenBy }: AskedRegister,
): Promise<Pick<SheetFile, 'fileName' | 'text'>> {
  const isFiltered = filter.find !== '' || filter.chip !== 'all';
  const at = takenAt.slice(0, 19).replaceAll(':', '');
  const fileName = `${game.slug}-refunds-${at}Z${isFiltered ? '.filtered' : ''}.csv`;
  await recordAudit(db, { actor: takenBy, gameId: game.gameId, act: 'took a file', subject: fileName });
  return { fileName, text: writeRegister(db, game, filter) };
}

async function* writeRegister(db: Db, game: GameOfSheet, filter: RefundFilter): AsyncGenerator<string> {
  yield writeHeader(REGISTER_COLUMNS);
  for await (const row of streamRefunds(db, game.gameId, filter)) {
    yield writeRow(REGISTER_COLUMNS, { game: game.slug, environment: game.environment, ...row });
  }
}

/** The columns of the refund register as a file, in order. Receipt fields keep Invo's names; empty: not recorded, or not refunded. */
export const REGISTER_COLUMNS: SheetColumn[] = [
  { key: 'game', label: 'Game', kind: 'text' },
  { key: 'environment', label: 'Environment', kind: 'text' },
  { key: 'refund_id', label: 'Refund', kind: 'count' },
  { key: 'client_request_id', label: 'Idempotency key', kind: 'text' },
  { key: 'state', label: 'State', kind: 'text' },
  { key: 'subscription_id', label: 'Subscription', kind: 'text' },
  { key: 'period_id', label: 'Period', kind: 'count' },
  { key: 'period_seq', label: 'Period number', kind: 'count' },
  { key: 'item_name', label: 'Item', kind: 'text' },
  { key: 'asked_usd', label: 'Requested', kind: 'money' },
  { key: 'reason_code', label: 'Reason', kind: 'text' },
  { key: 'requested_by', label: 'Requested by', kind: 'text' },
  { key: 'requested_at', label: 'Requested at', kind: 'instant' },
  { key: 'approval', label: 'Approval', kind: 'text' },
  { key: 'approved_by', label: 'Approver', kind: 'text' },
  { key: 'approved_at', label: 'Approved at', kind: 'instant' },
  { key: 'owner', label: 'Assignee', kind: 'text' },
  { key: 'first_sent_at', label: 'First sent at', kind: 'instant' },
  { key: 'attempt_count', label: 'Calls', kind: 'count' },
  { key: 'ended_at', label: 'Ended at', kind: 'instant' },
  { key: 'outcome_source', label: 'Outcome source', kind: 'text' },
  { key: 'transaction_id', label: 'Transaction', kind: 'text' },
  { key: 'refunded_at', label: 'Refunded at', kind: 'instant' },
  { key: 'refunded_amount_usd', label: 'Refunded', kind: 'money' },
  { key: 'total_refunded_amount_usd', label: 'Refunded for the period', kind: 'money' },
  { key: 'card_refunded_usd', label: 'To the card', kind: 'money' },
  { key: 'balance_delta_coins', label: 'Coins', kind: 'coins' },
  { key: 'partner_revenue_reversed_usd', label: 'Partner revenue reversed', kind: 'money' },
  { key: 'card_fee_charged_to_partner_usd', label: 'Card fee charged to the partner', kind: 'money' },
  { key: 'reversal_seen_at', label: 'Reversal seen at', kind: 'instant' },
];
