/**
 * Version of the rules by which reports are read and matched. It goes up with every change by which a report may confirm or list something else: `verify` matches a stored
 * report again only by the rules that it was matched by.
 */
export const MATCH_RULES_VERSION = 4;

/** What is stored of one row of a report: what it confirms of a payment, or why it confirms nothing. */
export interface StoredFact {
  rowNo: number;
  runId: number | null;
  itemNo: number | null;
  /** The file that a listed row is about as a whole; null: none. */
  batchNo: number | null;
  state: string | null;
  occurredOn: string | null;
  amount: string | null;
  currency: string | null;
  providerId: string | null;
  reasonCode: string | null;
  /** How it was matched; null: it is listed. */
  matchedBy: string | null;
  /** null: it confirmed a payment. */
  problem: string | null;
  /** null: only what a person accepts has a fee. */
  fee_usd: string | null;
  /** Hex. */
  digest: string;
}

/** What a person accepted of a payment, with the reference of the payment. */
export type AcceptedFact = StoredFact & { reference: string };
