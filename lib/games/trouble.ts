import { InvoError } from '../invo/invo-error.ts';
import { type InvoErrorCode } from '../invo/rules/error-codes.ts';
import { formatInvoError } from '../invo/text.ts';

/** Why Invo could not be asked, for a person: what happened, what is safe, and the reference to quote. */
export interface Trouble {
  code: InvoErrorCode;
  sentence: string;
  errorId: string | null;
}

/** What a person is told of trouble with Invo. Throws again whatever else was thrown. */
export function troubleOf(error: unknown): Trouble {
  if (!(error instanceof InvoError)) throw error;
  return { code: error.code, sentence: formatInvoError(error), errorId: error.errorId };
}
