import { createHash } from 'node:crypto';
import type { Db } from '#db/kit/open.ts';
import { sha256Of } from '#lib/core/canonical-digest.ts';
import type { GameRef } from '#lib/core/game.ts';
import { messageOf } from '#lib/core/strings.ts';
import {
  findComparison,
  findTablePart,
  listComparedSnapshots,
  listCompleteWindows,
  listRenditions,
  type StoredRendition,
  streamRenderedFile,
} from '../reads/renditions.ts';
import { findGameRef } from '../reads/verification.ts';
import { listDayViolations, listSnapshotsWithDays, listWindowViolations } from '../reads/violations.ts';
import { makeComparisons, renderSheet } from '../render-snapshot.ts';
import type { Findings } from '../rules/findings.ts';
import { RENDITION_VERSION } from '../rules/sheets.ts';
import { inflate } from './rebuild.ts';

/** Renders every stored sheet again from its lines and compares digests, sums and bytes. Those of other rules are passed over: no page sends them. */
export async function verifyRenditions(db: Db, gameId: number, findings: Findings, onProgress: (line: string) => void): Promise<void> {
  const game = await findGameRef(db, gameId);
  const stored = await listRenditions(db, gameId, RENDITION_VERSION);
  for (const [index, rendition] of stored.entries()) {
    onProgress(`rendered sheet ${index + 1} of ${stored.length}`);
    await verifyRendition(db, game, rendition, findings.about(`${rendition.sheet} of snapshot ${rendition.snapshotId}`));
  }
}

/** Compares the stored current snapshot, and its stored comparison with other months, with what follows from the snapshots. */
export async function verifyCurrent(db: Db, gameId: number, findings: Findings): Promise<void> {
  findings.add(await listWindowViolations(db, gameId));
  for (const snapshotId of await listSnapshotsWithDays(db, gameId)) findings.add(await listDayViolations(db, gameId, snapshotId));
  const game = await findGameRef(db, gameId);
  const stored = await listComparedSnapshots(db, gameId, RENDITION_VERSION);
  const fresh = await makeComparisons(db, game, await listCompleteWindows(db, gameId), (snapshotId) => stored.has(snapshotId));
  const digests = new Map(fresh.map((comparison) => [comparison.snapshotId, comparison.sha256]));
  for (const [snapshotId, sha256] of stored) {
    const about = findings.about(`comparison of snapshot ${snapshotId}`);
    about.same('comparison_digest', digests.get(snapshotId)?.toString('hex') ?? 'no current month', sha256.toString('hex'));
    const rendition = await findComparison(db, gameId, snapshotId, RENDITION_VERSION);
    const bytes = rendition === null ? 'none' : sha256Of(bytesOf(rendition.body)).toString('hex');
    about.same('comparison_bytes', sha256.toString('hex'), bytes);
  }
}

async function verifyRendition(db: Db, game: GameRef, stored: StoredRendition, findings: Findings): Promise<void> {
  const fresh = await renderSheet(db, game, stored, stored.sheet);
  const hex = (digest: Buffer | undefined | null): string => digest?.toString('hex') ?? 'none';
  findings.same('rendition_rows', String(fresh.rowCount), String(stored.rowCount));
  findings.same('rendition_sums', writeSums(fresh.sums), writeSums(stored.sums));
  findings.same('rendition_file_digest', hex(fresh.file.sha256), hex(stored.fileSha256));
  findings.same('rendition_file_size', String(fresh.file.byteCount), String(stored.fileByteCount));
  findings.same('rendition_table_digest', hex(fresh.table?.columns.sha256), hex(stored.tableSha256));
  findings.same('rendition_orders_digest', hex(fresh.table?.orders.sha256), hex(stored.ordersSha256));
  findings.same(
    'rendition_head',
    canonical(fresh.table?.head ?? null),
    canonical(stored.head === null ? null : JSON.stringify(stored.head)),
  );
  findings.same('rendition_file_bytes', hex(stored.fileSha256), await digestFile(db, game.gameId, stored));
  for (const [part, sha256] of [
    ['table', stored.tableSha256],
    ['orders', stored.ordersSha256],
  ] as const) {
    const found = await findTablePart(db, { gameId: game.gameId, ...stored }, part, RENDITION_VERSION);
    const bytes = found === null ? null : sha256Of(bytesOf(found.body));
    findings.same(`rendition_${part}_bytes`, hex(sha256), hex(bytes));
  }
}

/** The digest of a stored file, or why it has none. */
async function digestFile(db: Db, gameId: number, stored: StoredRendition): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const member of streamRenderedFile((find) => find(db), gameId, stored.snapshotId, stored.sheet, stored))
      hash.update(bytesOf(member));
  } catch (error) {
    return messageOf(error);
  }
  return hash.digest('hex');
}

/** What is no gzip has no bytes. */
function bytesOf(body: Buffer): Buffer {
  return inflate(body) ?? Buffer.alloc(0);
}

function writeSums(sums: Record<string, string>): string {
  return Object.entries(sums)
    .map(([column, sum]) => `${column} ${sum}`)
    .toSorted()
    .join(', ');
}

/** A stored JSON object is read with its keys in another order. */
function canonical(json: string | null): string {
  const sorted = (_: string, value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  return json === null ? 'none' : JSON.stringify(JSON.parse(json), sorted);
}
