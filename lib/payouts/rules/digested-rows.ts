// What the digests of a run's lines and reversals are made from. A row comes as text by the names of its columns, from the database or from an
// evidence pack; amounts without trailing zeros, so that a digest is about amounts and not about how many decimals a sum came with.

/** The columns that a digest of lines covers, in their order. */
export const DIGESTED_LINE = [
  'recipient_player_id',
  'seen_snapshot_id',
  'resolved',
  'opening_usd',
  'earned_usd',
  'reversed_usd',
  'pinned_usd',
  'adjusted_usd',
  'returned_usd',
  'held_usd',
  'minimum_usd',
  'together_usd',
  'payable_usd',
  'outcome',
  'also',
  'detail_no',
] as const;

/** The columns that a digest of reversals covers, in their order. */
export const DIGESTED_REVERSAL = [
  'period_id',
  'recipient_player_id',
  'is_coarse',
  'attributed_usd',
  'reported_usd',
  'taken_before_usd',
  'taken_usd',
] as const;

/** A row as it is digested; null: the column is NULL. Booleans are `true` and `false`, lists are separated by commas. */
export type DigestedLine = Record<(typeof DIGESTED_LINE)[number], string | null>;
export type DigestedReversal = Record<(typeof DIGESTED_REVERSAL)[number], string | null>;

/**
 * What of a line its digest covers, as one text. An empty list of reasons is nothing, as in a file. Lines of runs that are older than payment details have
 * none and leave it out: their digests stay as they were.
 */
export function textOfLine({ seen_snapshot_id, resolved, also, detail_no, ...line }: DigestedLine): string {
  const row = { ...line, seen_snapshot_id: seen_snapshot_id ?? '-', resolved: resolved ?? '-', also: also ?? '', detail_no };
  const cells = DIGESTED_LINE.map((column) => row[column]);
  return (detail_no === null ? cells.slice(0, -1) : cells).join('|');
}

/** What of a reversal its digest covers, as one text. */
export function textOfReversal(reversal: DigestedReversal): string {
  return DIGESTED_REVERSAL.map((column) => (column === 'is_coarse' ? reversal[column]?.slice(0, 1) : reversal[column])).join('|');
}
