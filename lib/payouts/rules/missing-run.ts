import * as z from 'zod';

/** An approved run as the data folder knows it, whatever the database has. */
export const knownRun = z.object({
  v: z.literal(1),
  game: z.string(),
  environment: z.enum(['production', 'sandbox']),
  runNo: z.int().positive(),
  window: z.object({ start: z.string(), end: z.string() }),
  /** Hex, of what was approved. */
  contentDigest: z.string().regex(/^[0-9a-f]{64}$/),
  payable_usd: z.string(),
  approvedAt: z.string(),
});
export type KnownRun = z.infer<typeof knownRun>;

/** A run that was approved after the backup and isn't in the database any more. */
export type MissingRun = Omit<KnownRun, 'game' | 'environment'>;

const missingRuns = z.array(knownRun.omit({ game: true, environment: true }));

/** Parses the stored list of missing runs; null stays null: nothing knows which runs were approved. */
export function parseMissingRuns(stored: unknown): MissingRun[] | null {
  return stored === null ? null : missingRuns.parse(stored);
}
