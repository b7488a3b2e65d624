import { writeRecord } from '../core/csv.ts';
import { normalizeMoney, subtractMoney } from '../core/money.ts';
import { localTimeOf } from '../core/month.ts';
import type { OpenGame } from '../games/open-game.ts';
import type { Run } from '../payouts/reads/find-run.ts';
import { DEMO_YEAR_MONTHS } from '../payouts/rules/demo-year.ts';
import { type Batch, isFile, listBatches, listBatchItems } from './reads/batches.ts';

/** What the demo bank reports of files that were handed over. */
export interface DemoReport {
  fileName: string;
  bytes: Buffer;
}

/**
 * Finds the report of the demo bank about a file, in the generic layout: the same bytes each time. It pays everything on the day of the hand-over, except that one payment of
 * the last month of the demo's year comes back and one differs by 0.35. null: the batch is no file that was handed over. Errors: throws when the data is not simulated.
 */
export async function findDemoReport(game: OpenGame, batch: Batch): Promise<DemoReport | null> {
  requireSimulated(game);
  if (!isFile(batch) || batch.handedOverBy === null || batch.state !== 'handed_over') return null;
  const items = await listBatchItems(game.db, batch);
  const paidOn = localTimeOf(batch.handedOverBy.at, game.timeZone).slice(0, 10);
  return {
    fileName: `${game.slug}-bank-report-file${batch.batchNo}.csv`,
    bytes: Buffer.from(writeDemoReport(items, { paidOn, isOdd: batch.runNo === DEMO_YEAR_MONTHS })),
  };
}

/** Finds one report of the demo bank about all files of a run that were handed over, as a bank reports them. null: none was. */
export async function findDemoReportOfRun(game: OpenGame, { runId, runNo }: Pick<Run, 'runId' | 'runNo'>): Promise<DemoReport | null> {
  requireSimulated(game);
  const texts: string[] = [];
  for (const batch of await listBatches(game.db, game.gameId, runId)) {
    const report = await findDemoReport(game, batch);
    if (report !== null) texts.push(report.bytes.toString());
  }
  if (texts.length === 0) return null;
  // Keep one header.
  const [first, ...others] = texts;
  const rows = others.map((text) => text.slice(text.indexOf('\n') + 1));
  return { fileName: `${game.slug}-bank-report-run${runNo}.csv`, bytes: Buffer.from([first, ...rows].join('')) };
}

function requireSimulated({ isSimulated }: OpenGame): void {
  if (isSimulated !== true) throw new Error('the demo bank reports about simulated data only');
}

interface PaidItem {
  reference: string;
  amount: string;
  currency: string;
}

/** Writes the report of a file that was paid on a day. `isOdd`: one payment comes back and one differs, where the file has enough of them. */
export function writeDemoReport(items: readonly PaidItem[], { paidOn, isOdd }: { paidOn: string; isOdd: boolean }): string {
  const [returned, differing] = isOdd && items.length >= 4 ? [4, 2].map((part) => items[Math.floor(items.length / part)]) : [];
  const rows = items.flatMap((item): string[][] => {
    const { reference, currency } = item;
    const amount = normalizeMoney(item.amount);
    const paid = item === differing ? subtractMoney(amount, DIFFERENCE) : amount;
    return [
      [reference, 'paid', paid, currency, `DEMO-${reference}`, paidOn],
      ...(item === returned ? [[reference, 'returned', amount, currency, `DEMO-${reference}-R`, paidOn]] : []),
    ];
  });
  return [['reference', 'status', 'amount', 'currency', 'provider_id', 'date'], ...rows].map(writeRecord).join('');
}

const DIFFERENCE = '0.35';
