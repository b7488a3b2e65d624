import { createHash } from 'node:crypto';
import { type Db, streamFrozenView } from '#db/kit/open.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { writeZip, type ZipEntry } from '#lib/core/zip.ts';
import type { OpenGame } from '#lib/games/open-game.ts';
import type { PayeeKey } from '#lib/payees/seal.ts';
import { findRun, type Run, type RunKey } from '#lib/payouts/reads/find-run.ts';
import { listRunsToVerify } from '#lib/payouts/reads/run-verification.ts';
import { jsonEntry, type PackSource } from './pack-entries.ts';
import { listRunAudit } from './reads.ts';
import { PATHS } from './rules/pack-files.ts';
import { INDEX_PATH, type PackEntry, writeIndex } from './rules/pack-index.ts';
import { BANNERS, LEFT_OUT, VERIFY_COMMAND } from './text.ts';
import { writeEvidence, writeStatements } from './write-evidence.ts';
import { writePayments } from './write-payments.ts';
import { writeHistory, writeRun } from './write-run.ts';

export type PackFile =
  | { ok: true; fileName: string; run: Run; pieces: AsyncIterable<Uint8Array> }
  | { ok: false; reason: 'no_run' | 'not_approved' | 'voided' };

export interface PackRequest {
  /** Who downloads it: email of the person, or "command line". */
  takenBy: string;
  /** The key of payment details, where accounts, payment files and bank reports are wanted in the pack. */
  accountsKey?: PayeeKey | null;
  /** Connections that may wait for the reader of the pack; absent: those of the game. */
  files?: Db;
}

/**
 * The evidence pack of an approved run: one ZIP with everything that `verify --pack` needs to prove the run without a database, written as it is read, over one
 * frozen view. The same state gives the same bytes. Its entries aren't compressed: how a compressor writes them differs between versions. The audit has the
 * request, before the first byte: a download that ends early has given some of it away.
 */
export async function exportPack(
  game: OpenGame,
  key: RunKey,
  { takenBy, accountsKey = null, files = game.db }: PackRequest,
): Promise<PackFile> {
  const run = await findRun(game.db, game.gameId, key);
  if (run === null) return { ok: false, reason: 'no_run' };
  if (run.state !== 'approved') return { ok: false, reason: run.state === 'void' ? 'voided' : 'not_approved' };
  const fileName = `${game.slug}-${game.environment === 'sandbox' ? 'SANDBOX-' : ''}evidence-run${run.runNo}.zip`;
  const detail = accountsKey === null ? {} : { with_accounts: true };
  await recordAudit(game.db, { actor: takenBy, gameId: game.gameId, act: 'requested an evidence pack', subject: fileName, detail });
  const entries = streamFrozenView(files, (db) => listEntries({ ...game, db }, run, accountsKey));
  return { ok: true, fileName, run, pieces: writeZip(entries, { compress: false }) };
}

async function* listEntries(game: OpenGame, found: Run, accountsKey: PayeeKey | null): AsyncGenerator<ZipEntry> {
  const source = await openSource(game, found, accountsKey);
  const { run, leftOut } = source;
  const entries: PackEntry[] = [];
  async function* all(): AsyncGenerator<ZipEntry> {
    yield* writeEvidence(source);
    yield* writeHistory(source);
    yield* writeRun(source);
    yield* writeStatements(source);
    yield* writeAudit(source);
    yield* writePayments(source);
  }
  for await (const entry of all()) yield digested(entry, (facts) => void entries.push(facts));
  yield {
    name: INDEX_PATH,
    content: writeIndex({
      pack: 3,
      banner: game.isSimulated === true ? BANNERS.simulated : game.environment === 'sandbox' ? BANNERS.sandbox : null,
      game: game.slug,
      environment: game.environment,
      time_zone: game.timeZone,
      run_no: run.runNo,
      window_start: run.window.start,
      window_end: run.window.end,
      snapshot_digest: run.snapshotDigest,
      content_digest: run.contentDigest ?? '',
      verify: VERIFY_COMMAND,
      left_out: leftOut,
      entries,
    }),
  };
}

/** What the entries are written from, in the state that the view has. Throws when the run was voided since it was requested. */
async function openSource(game: OpenGame, { runId, runNo }: Run, accountsKey: PayeeKey | null): Promise<PackSource> {
  const run = await findRun(game.db, game.gameId, { runId });
  const [stated] = await listRunsToVerify(game.db, game.gameId, runId);
  const content = stated?.content ?? null;
  if (run?.state !== 'approved' || stated === undefined || content === null) throw new Error(`run ${runNo} was voided`);
  const withoutAccounts = accountsKey === null ? [LEFT_OUT.payment_details, LEFT_OUT.payment_files] : [];
  return { game, run, stated, content, accountsKey, leftOut: [...withoutAccounts, LEFT_OUT.salts, LEFT_OUT.earlier_months] };
}

/** The entry with its size and digest, which are known when it has been read. */
function digested({ name, content }: ZipEntry, onEnd: (facts: PackEntry) => void): ZipEntry {
  const hash = createHash('sha256');
  let bytes = 0;
  const take = (piece: string | Uint8Array): void => {
    const taken = typeof piece === 'string' ? Buffer.from(piece) : piece;
    hash.update(taken);
    bytes += taken.length;
  };
  const end = (): void => onEnd({ path: name, bytes, sha256: hash.digest('hex') });
  if (typeof content === 'string') {
    take(content);
    end();
    return { name, content };
  }
  if (Symbol.asyncIterator in content) {
    const pieces = async function* (): AsyncGenerator<string> {
      for await (const piece of content) {
        take(piece);
        yield piece;
      }
      end();
    };
    return { name, content: pieces() };
  }
  const pieces = [...content];
  for (const piece of pieces) take(piece);
  end();
  return { name, content: pieces };
}

async function* writeAudit({ game, run, content, leftOut }: PackSource): AsyncGenerator<ZipEntry> {
  const adjustmentIds = content.adjustments.map(({ adjustmentId }) => adjustmentId);
  const rows = await listRunAudit(game.db, run, adjustmentIds);
  const unlinked = rows.filter(({ link }) => link === null).length;
  if (unlinked > 0) leftOut.push(LEFT_OUT.audit_links(unlinked));
  yield jsonEntry(
    PATHS.audit,
    rows.map(({ audit_id, at, actor, game_id, act, subject, detail, link }) => ({
      audit_id,
      at,
      actor,
      game_id,
      act,
      subject,
      detail,
      link,
    })),
  );
}
