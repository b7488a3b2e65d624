import fs from 'node:fs';
import path from 'node:path';
import type { z } from 'zod';
import type { Db } from '#db/kit/open.ts';
import { listKnownFiles, listKnownRuns } from './reads/payout-pause.ts';
import { type KnownPayouts, knownFile, knownRun } from './rules/missing-run.ts';

/** What a data folder knows of payouts, to show what a database restored from a backup lacks: approved runs, and payment files. */
export interface KnownPayoutStore {
  /** Stores what was approved and made in the database, one file each. A copy that was restored must have been ruled out. */
  store(root: string): Promise<void>;
  /** What was approved and made in a database, by the lineage it started with; null: the folder doesn't know that database. */
  list(root: string): KnownPayouts | null;
}

/** What was stored this long before the newest known is checked again: its transactions may have ended later. */
const OVERLAP_MS = 3_600_000;

/** Opens what a data folder knows of payouts. Each is a file named `LINEAGE.DIGEST` or `LINEAGE.ID`, so that processes sharing the folder can't overwrite each other's. */
export function openKnownPayouts(db: Db, folder: string): KnownPayoutStore {
  const [runs, files] = [path.join(folder, 'approved-runs'), path.join(folder, 'payment-files')];
  let [runsSince, filesSince]: [string | null, string | null] = [null, null];
  return {
    store: async (root) => {
      const approved = await listKnownRuns(db, runsSince);
      const made = await listKnownFiles(db, filesSince);
      // A folder that knows the database and no run of it has this file alone.
      storeFile(runs, `${root}.known`, '');
      for (const run of approved) storeFile(runs, `${root}.${run.contentDigest}`, JSON.stringify(run));
      for (const file of made) storeFile(files, `${root}.${file.messageId}`, JSON.stringify(file));
      runsSince = overlapping(approved.map(({ approvedAt }) => approvedAt)) ?? runsSince;
      filesSince = overlapping(made.map(({ madeAt }) => madeAt)) ?? filesSince;
    },
    list: (root) => {
      if (listNames(runs, root).length === 0) return null;
      const found = <Known>(from: string, schema: z.ZodType<Known>): Known[] =>
        listNames(from, root).flatMap((name) => readKnown(path.join(from, name), schema));
      return { runs: found(runs, knownRun), files: found(files, knownFile) };
    },
  };
}

function overlapping(instants: readonly string[]): string | null {
  if (instants.length === 0) return null;
  return new Date(Math.max(...instants.map((instant) => Date.parse(instant))) - OVERLAP_MS).toISOString();
}

function listNames(folder: string, root: string): string[] {
  return fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => name.startsWith(`${root}.`) && !name.includes('~')) : [];
}

/** A file that can't be read is left out: a restore must be recorded all the same. */
function readKnown<Known>(file: string, schema: z.ZodType<Known>): Known[] {
  try {
    return [schema.parse(JSON.parse(fs.readFileSync(file, 'utf8')))];
  } catch {
    return [];
  }
}

/** Written whole before it has its name: a process that ends in between leaves no half file. */
function storeFile(folder: string, name: string, text: string): void {
  const target = path.join(folder, name);
  if (fs.existsSync(target)) return;
  fs.mkdirSync(folder, { recursive: true });
  const written = `${target}~${process.pid}`;
  fs.writeFileSync(written, text, { flush: true });
  fs.renameSync(written, target);
  syncFolder(folder);
}

/** Makes what was created in a folder outlast a power failure. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = fs.openSync(folder, 'r');
  try {
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}
