import type { Db } from '#db/kit/open.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { momentFileName, type SheetColumn, writeHeader, writeRow } from '../core/csv.ts';
import type { GameRef } from '../core/game.ts';
import { REFUNDS, type RefundFilter, streamRefunds } from './reads/list-refunds.ts';

/** The columns of the file. Fields of the receipt have Invo's names; empty: not reported, or not refunded. */
export const REGISTER_COLUMNS: SheetColumn[] = [
  { key: 'game', label: 'Game', kind: 'text' },
  { key: 'environment', label: 'Environment', kind: 'text' },
  ...REFUNDS.columns,
];

export interface RegisterExport {
  filter: RefundFilter;
  /** The time of the export, ISO 8601 ending in Z: refunds move on, so the file is of that moment. */
  exportedAt: string;
  /** Email of the person who exports. */
  exportedBy: string;
}

/** Exports the filtered refunds, oldest first, one row per refund. The register is Sharebook's own, so the file has no snapshot of Invo behind it. */
export async function exportRegister(
  db: Db,
  game: GameRef,
  { filter, exportedAt, exportedBy }: RegisterExport,
): Promise<{ fileName: string; text: AsyncIterable<string> }> {
  const fileName = momentFileName(`${game.slug}-refunds`, exportedAt, filter.find !== '' || filter.chip !== 'all');
  await recordAudit(db, { actor: exportedBy, gameId: game.gameId, act: 'took a file', subject: fileName });
  return { fileName, text: writeRegister(db, game, filter) };
}

async function* writeRegister(db: Db, game: GameRef, filter: RefundFilter): AsyncGenerator<string> {
  yield writeHeader(REGISTER_COLUMNS);
  for await (const row of streamRefunds(db, game.gameId, filter)) {
    yield writeRow(REGISTER_COLUMNS, { game: game.slug, environment: game.environment, ...row });
  }
}
