import { createHash } from 'node:crypto';
import { mapInSteps, type Steps } from '#lib/core/steps.ts';
import { findMistypedWords, findPaymentReferences } from '../rules/payment-reference.ts';
import type { ReportRow } from '../rules/report-row.ts';

/** What a reader knows of a row before it is numbered among its equals. */
export type FoundRow = Pick<ReportRow, 'rowNo' | 'state' | 'word' | 'hasAmount'> &
  Partial<Omit<ReportRow, 'text' | 'digest'>> & { cells: readonly string[] };

/** The longest text of a row that is shown. */
const TEXT_LENGTH_MAX = 400;

/** Completes rows: references in any cell unless the reader knows better, their text, and the digest by which a row is recognised in another report. */
export function* buildRows(found: readonly FoundRow[]): Steps<ReportRow[]> {
  const seen = new Map<string, number>();
  return yield* mapInSteps(found, ({ cells, ...row }) => {
    const key = JSON.stringify(cells);
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    return {
      references: [...new Set(cells.flatMap(findPaymentReferences))],
      mistyped: [...new Set(cells.flatMap(findMistypedWords))],
      amounts: [],
      unreadable: null,
      providerId: null,
      relatedId: null,
      trace: null,
      batchId: null,
      occurredOn: null,
      reasonCode: null,
      ...row,
      text: cells
        .filter((cell) => cell !== '')
        .join(' · ')
        .slice(0, TEXT_LENGTH_MAX),
      digest: createHash('sha256').update(`${count} ${key}`).digest('hex'),
    };
  });
}
