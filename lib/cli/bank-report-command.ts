import type { OpenGame } from '../games/open-game.ts';
import { previewReport, type ReportPreviewResult } from '../payments/record-report.ts';
import { formatOtherAccount, formatReportRefusal } from '../payments/report-text.ts';
import { REPORT_BYTES_MAX } from '../payments/reports/read-report.ts';
import type { ChosenDateOrder } from '../payments/rules/report-row.ts';
import { formatListed } from '../payments/text.ts';
import { type CommandContext, EXIT, loadFile } from './command-context.ts';

/**
 * Prints what a report of a bank or a payment provider would confirm, and the rows that a person would decide. Nothing is stored. A report that can't be read exits 1, as
 * does one about another account where SHAREBOOK_PAYEE_KEY is set.
 */
export async function bankReportCommand(
  context: CommandContext,
  game: OpenGame,
  { from, dateOrder, isJson }: { from: string; dateOrder: ChosenDateOrder | null; isJson: boolean },
): Promise<number> {
  const bytes = await loadFile(context, from, { bytesMax: REPORT_BYTES_MAX });
  if (bytes === null) return EXIT.usage;
  const previewed = await previewReport(game.db, game.gameId, context.config.payeeKey, { bytes, fileName: null, dateOrder });
  if (!previewed.ok) {
    const sentence = sentenceOf(previewed);
    if (isJson)
      context.print(
        JSON.stringify({ refused: previewed.reason === 'report' ? previewed.refusal.reason : previewed.reason, error: sentence }),
      );
    return context.fail(sentence);
  }
  const { kind, rowCount, feeCount, result, confirmed, repeatedCount, listed, listedCount, recordedAs } = previewed.preview;
  if (isJson) {
    const rows = listed.map(({ rowNo, problem, reference, amount, currency }) => ({ row: rowNo, problem, reference, amount, currency }));
    const counts = { rows: rowCount, fees: feeCount, repeated: repeatedCount, listed: listedCount };
    context.print(JSON.stringify({ refused: null, kind, ...counts, result, confirmed, recorded_as: recordedAs, listed_rows: rows }));
    return EXIT.done;
  }
  const lines = listed.map((row) =>
    [`  row ${row.rowNo}: ${formatListed(row)}`, row.reference, row.amount === null ? null : `${row.amount} ${row.currency}`]
      .filter((part) => part !== null)
      .join(', '),
  );
  const more = listedCount > listed.length ? [`  ${(listedCount - listed.length).toLocaleString('en-US')} more rows`] : [];
  const recorded = recordedAs === null ? [] : [`Recorded already as report ${recordedAs}. Recording it again changes nothing.`];
  context.print([result, ...recorded, ...lines, ...more].join('\n'));
  return EXIT.done;
}

function sentenceOf(refused: Extract<ReportPreviewResult, { ok: false }>): string {
  if (refused.reason === 'other_account') return formatOtherAccount(refused.account);
  const sentence = formatReportRefusal(refused.refusal);
  return refused.refusal.reason === 'date_order' ? `${sentence} Give --dates day-first or --dates month-first.` : sentence;
}
