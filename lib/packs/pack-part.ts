import type { Db } from '#db/kit/open.ts';
import type { Capability } from '#lib/core/roles.ts';
import type { ZipEntry } from '#lib/core/zip.ts';
import type { Findings } from '#lib/evidence/rules/findings.ts';
import type { PayeeKey } from '#lib/payees/seal.ts';
import type { Run } from '#lib/payouts/reads/find-run.ts';
import type { RunLine } from '#lib/payouts/rules/decide-line.ts';
import type { OpenPack } from './open-pack.ts';
import type { AuditFileRow } from './rules/pack-files.ts';
import type { LeftOut, PackIndex } from './rules/pack-index.ts';

/**
 * Another part of a pack, written and proven by a module of its own: everything below one folder. What it writes depends on nothing but the run, so that the
 * same run gives the same bytes.
 */
export interface PackPart {
  /** Such as `payments/`. */
  folder: string;
  /** What it leaves out, known before its entries are written. */
  listLeftOut(source: PackSource): Promise<LeftOut[]>;
  /** Its entries by path, each path below its folder. */
  write(source: PackSource): AsyncIterable<ZipEntry>;
  /** Names what of its entries doesn't follow from the run. Entries were compared with their digests before; those it doesn't know are violations. */
  prove(pack: OpenPack, run: ProvenRun, findings: Findings): Promise<void>;
}

/** What a part is written from. `may`: the rights of who takes the pack; the command line has all. */
export interface PackSource {
  db: Db;
  run: Run;
  may: (capability: Capability) => boolean;
  /** The key that opens payment details, files and reports, where the pack carries them; null: it doesn't. */
  accountsKey: PayeeKey | null;
}

/** What of a run is proven when a part is. */
export interface ProvenRun {
  index: PackIndex;
  gameId: number;
  runId: number;
  runNo: number;
  /** Rows about the run, its payment files and its adjustments. */
  audit: readonly AuditFileRow[];
  approvedAt: string;
  /** The lines that pay something, by recipient. */
  paid: readonly Pick<RunLine, 'recipientId' | 'payable_usd' | 'detailNo'>[];
}
