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

/** A payment file, or payments recorded as paid elsewhere, as the data folder knows them, whatever the database has. */
export const knownFile = z.object({
  v: z.literal(1),
  game: z.string(),
  environment: z.enum(['production', 'sandbox']),
  runNo: z.int().positive(),
  /** The ID that banks know it by. */
  messageId: z.string().regex(/^[A-Za-z0-9-]{1,35}$/),
  /** null: paid elsewhere. */
  fileName: z.string().nullable(),
  payments: z.int().positive(),
  total_usd: z.string(),
  madeAt: z.string(),
});
export type KnownFile = z.infer<typeof knownFile>;

/** What a data folder knows of payouts. */
export interface KnownPayouts {
  runs: KnownRun[];
  files: KnownFile[];
}

/** A file that was made after the backup and isn't in the database any more. It may have been paid. */
export type MissingFile = Omit<KnownFile, 'game' | 'environment'>;

/** In place of the IDs of files that nothing knows, where a person confirms that no lost file paid a payment. */
export const UNKNOWN_FILES = 'unknown';

/** What a restore lost of a run's payment files. */
export interface LostFiles {
  /** Oldest first. */
  files: MissingFile[];
  /** No data folder knew which were made, and the month of the run was over by then: any of its payments may be in a lost file. */
  isUnknown: boolean;
}

/** What a person confirms about files that a restore lost: their IDs. */
export function idsOfLost({ files, isUnknown }: LostFiles): string[] {
  return [...files.map(({ messageId }) => messageId), ...(isUnknown ? [UNKNOWN_FILES] : [])];
}

const missingFiles = z.array(knownFile.omit({ game: true, environment: true }));

/** Parses the stored list of missing files; null: nothing knows which were made. */
export function parseMissingFiles(stored: unknown): MissingFile[] | null {
  return stored === null ? null : missingFiles.parse(stored);
}

/** A run that was approved after the backup and isn't in the database any more. */
export type MissingRun = Omit<KnownRun, 'game' | 'environment'>;

const missingRuns = z.array(knownRun.omit({ game: true, environment: true }));

/** Parses the stored list of missing runs; null stays null: nothing knows which runs were approved. */
export function parseMissingRuns(stored: unknown): MissingRun[] | null {
  return stored === null ? null : missingRuns.parse(stored);
}
