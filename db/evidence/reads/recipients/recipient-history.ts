import type { Db } from '#db/kit/open.ts';
import type { GameRef } from '#lib/core/game.ts';
import { sumMoney } from '#lib/core/money.ts';
import type { Month } from '#lib/core/month.ts';
import { maskEmail } from '#lib/core/roles.ts';
import { listStatedMonths } from './recipient-history-months.ts';

export interface RecipientMonth {
  month: Month;
  /** `complete`, `open` or `inconsistent`; only complete months are in the totals. */
  standing: string;
  coveredUntil: string;
  /** USD. */
  earned: string;
  /** USD taken back in this month, whenever it was earned. */
  reversed: string;
  /** USD. */
  net: string;
  renewalCount: number;
  reversalCount: number;
}

export interface RecipientHistory {
  playerId: number;
  name: string | null;
  /** Masked unless it may be seen. */
  email: string | null;
  identityId: string | null;
  /** False: Invo could not find the player record; null: not recorded. */
  resolved: boolean | null;
  /** Months with a row for this recipient, newest first. */
  months: RecipientMonth[];
  /** Every month that has a statement, newest first: one without a row above had nothing for this recipient. */
  stated: { month: Month; standing: string }[];
  /** Sums over the complete months, USD. */
  total: { earned: string; reversed: string; net: string; renewalCount: number; monthCount: number };
}

/** Reads everything the book holds of one recipient, month by month; null when no month knows the player. */
export async function findRecipientHistory(
  db: Db,
  game: GameRef,
  playerId: number,
  canSeeEmails: boolean,
): Promise<RecipientHistory | null> {
  const stated = await listStatedMonths(db, game);
  const found = await db
    .selectFrom('snapshot_recipient')
    .selectAll()
    .where('game_id', '=', game.gameId)
    .where('recipient_player_id', '=', playerId)
    .where('snapshot_id', 'in', stated.length > 0 ? stated.map((month) => month.snapshotId) : [-1])
    .execute();
  const rows = stated.flatMap((month) => {
    const row = found.find((each) => each.snapshot_id === month.snapshotId);
    return row ? [{ month, row }] : [];
  });
  const newest = rows[0]?.row;
  if (!newest) return null;
  const months = rows.map(({ month: { month, standing, coveredUntil }, row }) => ({
    month,
    standing,
    coveredUntil,
    earned: row.gross_attributed_usd,
    reversed: row.reversed_attributed_usd,
    net: row.net_attributed_usd,
    renewalCount: row.renewal_count,
    reversalCount: row.reversal_count,
  }));
  return {
    playerId,
    name: newest.player_name,
    email: newest.player_email === null || canSeeEmails ? newest.player_email : maskEmail(newest.player_email),
    identityId: newest.identity_id,
    resolved: newest.resolved,
    months,
    stated: stated.map(({ month, standing }) => ({ month, standing })),
    total: totalOf(months.filter((month) => month.standing === 'complete')),
  };
}

function totalOf(months: RecipientMonth[]): RecipientHistory['total'] {
  return {
    earned: sumMoney(months.map((month) => month.earned)),
    reversed: sumMoney(months.map((month) => month.reversed)),
    net: sumMoney(months.map((month) => month.net)),
    renewalCount: months.reduce((sum, month) => sum + month.renewalCount, 0),
    monthCount: months.length,
  };
}
