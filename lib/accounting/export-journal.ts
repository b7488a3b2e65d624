import type { Db } from '#db/kit/open.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { sha256Of } from '#lib/core/canonical-digest.ts';
import type { GameRef } from '#lib/core/game.ts';
import type { Window } from '#lib/core/window.ts';
import { findMonthJournals, type MonthJournals } from './reads.ts';
import { type Account, cardFeesOf, cardFeesToPost, linesOf } from './rules/journal.ts';
import { type Layout, writeJournals } from './rules/layouts.ts';
import { formatCardFees, formatJournalGaps } from './text.ts';

export type JournalFile =
  | {
      ok: true;
      fileName: string;
      text: string;
      /** Hex SHA-256 of the text. */
      sha256: string;
      journals: string[];
      mapNo: number;
      /** What the file lacks, in sentences, card fees first. */
      notes: string[];
    }
  | { ok: false; reason: 'none' | 'no_such_journal' | 'too_long' }
  | { ok: false; reason: 'unmapped'; accounts: Account[] };

/**
 * The journals of a month as a file for an accounting program: all of them, voided runs and what reverses them included, or one by its number. The same
 * journals under the same account map are the same bytes. Recorded in the audit as taken by `takenBy`.
 */
export async function exportJournal(
  db: Db,
  game: GameRef,
  { window, layout, journalNo = null, takenBy }: { window: Window; layout: Layout; journalNo?: string | null; takenBy: string },
): Promise<JournalFile> {
  const month = await findMonthJournals(db, game.gameId, window);
  const { journals: all, map } = month;
  const [first] = all;
  if (first === undefined) return { ok: false, reason: 'none' };
  const chosen = journalNo === null ? all : all.filter((journal) => journal.journalNo === journalNo);
  if (chosen.length === 0) return { ok: false, reason: 'no_such_journal' };
  const posted = chosen.map((journal) => ({ ...journal, lines: linesOf(journal.transfers) }));
  const written = writeJournals(layout, game, posted, map);
  if (!written.ok) return written;
  const subject = journalNo ?? first.journalNo.slice(0, 6);
  const fileName = `${game.slug}-journal-${subject}-${layout}-map${map.mapNo}.csv`;
  const sha256 = sha256Of(written.text).toString('hex');
  await recordAudit(db, { actor: takenBy, gameId: game.gameId, act: 'took a file', subject: fileName, detail: { sha256 } });
  return {
    ok: true,
    fileName,
    text: written.text,
    sha256,
    journals: chosen.map((journal) => journal.journalNo),
    mapNo: map.mapNo,
    notes: formatNotes(month),
  };
}

/** What the journals of a month lack, in sentences: card fees first, then what Invo doesn't report. */
function formatNotes({ run, journals }: MonthJournals): string[] {
  if (run === null) return [];
  const fees = cardFeesOf(run.details);
  const own = journals.filter(({ runId }) => runId === run.runId);
  return [formatCardFees(fees, cardFeesToPost(fees, own)), ...formatJournalGaps(run)];
}
