import { createHash } from 'node:crypto';
import { digestAuditLink } from '#lib/audit/chain-audit.ts';
import { messageOf } from '#lib/core/strings.ts';
import { Findings, type Violation } from '#lib/evidence/rules/findings.ts';
import { type OpenPack, openPack, PackError } from './open-pack.ts';
import { proveEvidence } from './prove-evidence.ts';
import { type PackForSequence, type PackSequence, proveHistory, proveSequence } from './prove-history.ts';
import { proveRun } from './prove-pack-run.ts';
import { proveJournals, proveStatements } from './prove-papers.ts';
import { provePayments } from './prove-payments.ts';
import { type AuditFileRow, auditFile, PATHS, runFile } from './rules/pack-files.ts';
import { INDEX_PATH, type PackIndex, parseIndex } from './rules/pack-index.ts';
import { BANNERS, LEFT_OUT } from './text.ts';

/** What verifying one pack found. */
export interface PackVerification {
  file: string;
  index: PackIndex;
  counts: { entries: number; responses: number; lines: number; journals: number; statements: number };
  violations: Violation[];
  /** What packs of the same game are compared by; null: too little of this one can be read. */
  sequence: PackForSequence | null;
}

interface VerifyOptions {
  onProgress?: (line: string) => void;
}

/**
 * Verifies an evidence pack without a database: its entries are those it names, byte for byte; the snapshot is rebuilt from the raw responses; the run is what
 * was approved and is decided again; journals and statements are written again. Names each violation.
 * Errors: throws `PackError` for a file that is no pack.
 */
export async function verifyPack(file: string, { onProgress = () => undefined }: VerifyOptions = {}): Promise<PackVerification> {
  const pack = await openPack(file);
  try {
    return await verifyOpen(file, pack, onProgress);
  } finally {
    pack.close();
  }
}

async function verifyOpen(file: string, pack: OpenPack, onProgress: (line: string) => void): Promise<PackVerification> {
  if (!pack.sizes.has(INDEX_PATH)) throw new PackError(`It has no ${INDEX_PATH}, so it is no evidence pack.`);
  const parsed = parseIndex((await pack.read(INDEX_PATH)).toString('utf8'));
  if (parsed === null) throw new PackError(`Its ${INDEX_PATH} isn’t that of an evidence pack of this version.`);
  const { index, isIntact } = parsed;
  const findings = new Findings();
  findings.about(INDEX_PATH).must('index_is_intact', isIntact, 'the text that was written', 'another text');
  const banners: (string | null)[] = [BANNERS.simulated, index.environment === 'sandbox' ? BANNERS.sandbox : null];
  findings.about(INDEX_PATH).must('banner', banners.includes(index.banner), 'that of its environment', String(index.banner));
  onProgress(`${file}: ${index.entries.length} entries`);
  await compareEntries(pack, index, findings);
  const known = new Set<string>();
  const counts = { entries: index.entries.length, responses: 0, lines: 0, journals: 0, statements: 0 };
  let isReadWhole = true;
  const step = async <Value>(subject: string, work: () => Promise<Value>): Promise<Value | null> => {
    onProgress(`${file}: ${subject}`);
    try {
      return await work();
    } catch (error) {
      isReadWhole = false;
      findings.about(subject).must('can_be_verified', false, 'entries that can be read', messageOf(error).slice(0, 300));
      return null;
    }
  };
  const sequence = await proveAll();
  // Entries that a failed step left unread aren't unknown.
  if (isReadWhole)
    for (const { path } of index.entries) findings.about(path).must('entry_is_known', known.has(path), 'an entry of a pack', 'another one');
  return { file, index, counts, violations: findings.violations, sequence };

  async function proveAll(): Promise<PackForSequence | null> {
    const audit = await step('audit', async () => await proveAudit(pack, index, known, findings));
    const evidence = await step('evidence', async () => await proveEvidence(pack, known, findings));
    const run = await step('run', async () => await pack.json(PATHS.run, runFile));
    known.add(PATHS.run);
    if (audit === null || run === null) return null;
    const history = await step('history', async () => await proveHistory(pack, run, known, findings));
    if (evidence === null || history === null) return null;
    counts.responses = evidence.responseCount;
    const input = { pack, index, run, evidence, history, audit };
    const lines = await step('run', async () => await proveRun(input, known, findings));
    if (lines === null) return null;
    counts.lines = lines.lineCount;
    counts.journals = (await step('journals', async () => await proveJournals(input, lines, known, findings))) ?? 0;
    counts.statements = (await step('statements', async () => await proveStatements(input, lines, known, findings))) ?? 0;
    const { runId, runNo, contentDigest } = run;
    const gameId = audit.find((row) => row.game_id !== null)?.game_id ?? 0;
    const proven = { index, gameId, runId, runNo, audit, paid: lines.paid };
    await step('payments', async () => await provePayments(pack, proven, known, findings));
    const taken = new Map(lines.reversals.map(({ periodId, takenBefore_usd, taken_usd }) => [periodId, { takenBefore_usd, taken_usd }]));
    return { file, runNo, contentDigest, history, closings: lines.closings, taken, audit };
  }
}

/** Compares the entries of the file with those its index names, by path, size and SHA-256. */
async function compareEntries(pack: OpenPack, { entries }: PackIndex, findings: Findings): Promise<void> {
  const stated = new Map(entries.map((entry) => [entry.path, entry]));
  for (const path of pack.sizes.keys())
    if (path !== INDEX_PATH) findings.about(path).must('entry_is_listed', stated.has(path), `an entry in ${INDEX_PATH}`, 'none');
  findings.about(INDEX_PATH).same('entries_are_listed_once', String(entries.length), String(stated.size));
  for (const { path, bytes, sha256 } of entries) {
    const about = findings.about(path);
    const size = pack.sizes.get(path);
    about.must('entry_is_present', size !== undefined, 'the entry', 'none');
    if (size === undefined) continue;
    about.same('entry_size', String(bytes), String(size));
    try {
      const hash = createHash('sha256');
      for await (const piece of pack.stream(path)) hash.update(piece);
      about.same('entry_sha256', sha256, hash.digest('hex'));
    } catch (error) {
      about.must('entry_can_be_read', false, 'bytes', messageOf(error));
    }
  }
}

/** Reads the rows of the audit and compares each with its link of the chain. */
async function proveAudit(pack: OpenPack, { left_out }: PackIndex, known: Set<string>, findings: Findings): Promise<AuditFileRow[]> {
  const rows = await pack.json(PATHS.audit, auditFile);
  known.add(PATHS.audit);
  const unlinked = rows.filter(({ link }) => link === null).length;
  const stated = left_out.find(({ what }) => what === 'audit_links')?.why ?? 'none';
  findings.about(PATHS.audit).same('unlinked_rows', stated, unlinked === 0 ? 'none' : LEFT_OUT.audit_links(unlinked).why);
  const lastLinked = rows.findLastIndex(({ link }) => link !== null);
  for (const [index, { link, ...row }] of rows.entries()) {
    const about = findings.about(`audit row ${row.audit_id}`);
    about.must('audit_in_order', (rows[index - 1]?.audit_id ?? 0) < row.audit_id, 'rows by number', 'another order');
    about.must('audit_is_linked', link !== null || index > lastLinked, 'a link, as a later row has one', 'none');
    if (link === null) continue;
    const { position, previous, digest } = link;
    about.same(
      'audit_digest',
      digest,
      digestAuditLink(position, previous === null ? null : Buffer.from(previous, 'hex'), row).toString('hex'),
    );
  }
  return rows;
}

/** What verifying several packs found. */
export interface PacksVerification {
  packs: PackVerification[];
  /** Files that are no pack, and why. */
  refused: { file: string; reason: string }[];
  /** How far the packs of each game follow from each other, where there are several. */
  games: GameSequence[];
}

/** What of the packs of one game was compared with each other. */
export interface GameSequence extends PackSequence {
  game: string;
  environment: string;
  /** Files of which too little can be read to compare them with others. */
  unread: string[];
  violations: Violation[];
}

/** Verifies packs one after another, and that each run follows from the earlier ones of its game that are among them. */
export async function verifyPacks(files: readonly string[], options: VerifyOptions = {}): Promise<PacksVerification> {
  const packs: PackVerification[] = [];
  const refused: PacksVerification['refused'] = [];
  for (const file of files) {
    try {
      packs.push(await verifyPack(file, options));
    } catch (error) {
      if (!(error instanceof PackError)) throw error;
      refused.push({ file, reason: error.message });
    }
  }
  const games = [...Map.groupBy(packs, ({ index }) => `${index.game} (${index.environment})`)].flatMap(([name, own]): GameSequence[] => {
    const [first] = own;
    if (first === undefined || own.length === 1) return [];
    const { game, environment } = first.index;
    const findings = new Findings();
    const read = own.flatMap(({ sequence }) => sequence ?? []);
    const unread = own.flatMap(({ file, sequence }) => (sequence === null ? [file] : []));
    return [{ game, environment, ...proveSequence(name, read, findings), unread, violations: findings.violations }];
  });
  return { packs, refused, games };
}
