import fs from 'node:fs';
import path from 'node:path';
import type { Db } from '#db/kit/open.ts';
import { listKnownRuns } from './reads/payout-pause.ts';
import { type KnownRun, knownRun } from './rules/missing-run.ts';

/** The approved runs that a data folder knows, to show which of them a database restored from a backup lacks. */
export interface KnownRuns {
  /** Stores the runs that were approved in the database, one file each. A copy that was restored must have been ruled out. */
  store(root: string): Promise<void>;
  /** The runs of a database, by the lineage it started with; null: the folder doesn't know that database. */
  list(root: string): KnownRun[] | null;
}

/** Runs approved this long before the newest known one are checked again: their transactions may have ended later. */
const OVERLAP_MS = 3_600_000;

/** Opens the runs that a data folder knows. They are files named `LINEAGE.DIGEST`, so that processes sharing it can't overwrite each other's. */
export function openKnownRuns(db: Db, folder: string): KnownRuns {
  const runs = path.join(folder, 'approved-runs');
  let since: string | null = null;
  return {
    store: async (root) => {
      const approved = await listKnownRuns(db, since);
      // A folder that knows the database and no run of it has this file alone.
      storeFile(runs, `${root}.known`, '');
      for (const run of approved) storeFile(runs, `${root}.${run.contentDigest}`, JSON.stringify(run));
      const newest = approved.map(({ approvedAt }) => Date.parse(approvedAt));
      if (newest.length > 0) since = new Date(Math.max(...newest) - OVERLAP_MS).toISOString();
    },
    list: (root) => {
      const names = fs.existsSync(runs) ? fs.readdirSync(runs).filter((name) => name.startsWith(`${root}.`)) : [];
      if (names.length === 0) return null;
      return names.filter((name) => /\.[0-9a-f]{64}$/.test(name)).flatMap((name) => readRun(path.join(runs, name)));
    },
  };
}

/** A file that can't be read as a run is left out: a restore must be recorded all the same. */
function readRun(file: string): KnownRun[] {
  try {
    return [knownRun.parse(JSON.parse(fs.readFileSync(file, 'utf8')))];
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
