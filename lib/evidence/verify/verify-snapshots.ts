import type { Db } from '#db/kit/open.ts';
import { compareInstants } from '#lib/core/instant.ts';
import type { Window } from '#lib/core/window.ts';
import { digestFacts, digestIdentity, digestLink, digestSnapshot } from '../digest.ts';
import { WINDOW_RECIPIENT_COLUMNS } from '../reads/columns.ts';
import { listResponses, listSlicesOfSnapshot, loadSlice } from '../reads/slices.ts';
import { type CheckedSnapshot, findSnapshot } from '../reads/snapshots.ts';
import { listRecipientsOfSnapshot, listResponseHeads, listSnapshotRows, type StoredIdentities } from '../reads/verification.ts';
import { parseSnapshotStatus } from '../rules/evidence.ts';
import type { Findings } from '../rules/findings.ts';
import type { Check } from '../rules/reconciliation/check.ts';
import {
  countFigures,
  FIGURES_VERSION,
  type Reconciliation,
  type WindowRecipient,
  WindowReconciler,
} from '../rules/reconciliation/check-window.ts';
import { tilesExactly } from '../rules/slice-plan.ts';
import { type JoinedTotals, listDifferences } from '../rules/totals.ts';
import { readAnswer, rebuildControl } from './rebuild.ts';

/** What a walk along the chain compares it with. */
export interface ChainWalk {
  identities: StoredIdentities;
  /** Links that were exported before, to find a rewritten history. */
  heads: { position: number; digest: string }[];
  /** Does one step; a row that can't be read is a finding about its subject, and the verification continues. */
  step: (subject: string, work: () => Promise<void>) => Promise<void>;
}

/** Walks the chain of a game's snapshots from its first link and reconciles each of them again. */
export async function verifySnapshots(
  db: Db,
  gameId: number,
  { identities, heads, step }: ChainWalk,
  findings: Findings,
  onProgress: (line: string) => void,
): Promise<{ snapshots: number; responses: number }> {
  const chain = await listSnapshotRows(db, gameId);
  for (const { position, digest } of heads)
    findings
      .about(`link ${position} of the chain`)
      .same('exported_head', digest, chain.find((link) => link.chain_no === position)?.digest.toString('hex') ?? 'no such link');
  let responses = 0;
  for (const [index, link] of chain.entries()) {
    onProgress(`snapshot ${index + 1} of ${chain.length}`);
    const about = findings.about(`snapshot ${link.snapshot_id}`);
    const previous = chain[index - 1]?.digest ?? null;
    about.same('chain_has_no_gap', String(index + 1), String(link.chain_no));
    about.same('chain_names_the_link_before', previous?.toString('hex') ?? 'none', link.previous_digest?.toString('hex') ?? 'none');
    about.must(
      'chain_follows_the_newest_rule',
      link.digest_version >= (chain[index - 1]?.digest_version ?? 1),
      `version ${chain[index - 1]?.digest_version} or newer`,
      `version ${link.digest_version}`,
    );
    await step(`snapshot ${link.snapshot_id}`, async () => {
      responses += await verifySnapshot(db, gameId, link, { previous, identities }, about);
    });
  }
  return { snapshots: chain.length, responses };
}

type Link = Awaited<ReturnType<typeof listSnapshotRows>>[number];
type Recipient = Awaited<ReturnType<typeof listRecipientsOfSnapshot>>[number];

interface ChainFacts {
  previous: Buffer | null;
  identities: StoredIdentities;
}

async function verifySnapshot(db: Db, gameId: number, link: Link, chain: ChainFacts, findings: Findings): Promise<number> {
  const snapshot = await findSnapshot(db, gameId, link.snapshot_id);
  const covered: Window = { start: snapshot.window.start, end: snapshot.coveredUntil };
  const slices = await listSlicesOfSnapshot(db, gameId, link.snapshot_id);
  const tiles = tilesExactly(covered, slices);
  findings.must(
    'slices_tile_the_window',
    tiles,
    `${covered.start} to ${covered.end}`,
    slices.map((slice) => `${slice.start} to ${slice.end}`).join(', '),
  );
  await verifyDigests(
    db,
    gameId,
    link,
    { ...chain, totals: snapshot.totals, slices: slices.map(({ digest }) => digest), covered },
    findings,
  );
  const responses = await listResponses(db, gameId, { snapshotId: link.snapshot_id });
  const control = rebuildControl(
    link.pull_id,
    slices,
    responses.flatMap((response) => readAnswer(findings, response) ?? []),
  );
  const differs = control === null ? ['no answers cover the window'] : listDifferences(control.totals, snapshot.totals);
  findings.same('control_totals_of_raw_bytes', '', differs.join(', '));
  findings.same('control_window_count', String(control?.window_count ?? 0), String(link.control_window_count));
  findings.must(
    'figures_version',
    link.figures_version >= 1 && link.figures_version <= FIGURES_VERSION,
    `1 to ${FIGURES_VERSION}`,
    String(link.figures_version),
  );
  const reconciler = new WindowReconciler(covered, link.figures_version);
  for (const slice of slices) reconciler.add(await loadSlice(db, gameId, slice.sliceId));
  if (slices.length === 0) return responses.length;
  const reconciliation = reconciler.close({ ...snapshot.totals, recipient_count: control?.totals.recipient_count ?? null });
  const isWhole = reconciliation.holds && tiles && compareInstants(link.generated_at, covered.end) >= 0;
  findings.same('status', !isWhole ? 'inconsistent' : covered.end === snapshot.window.end ? 'complete' : 'open', snapshot.status);
  await compareReconciliation(db, gameId, link, snapshot, reconciliation, findings);
  return responses.length;
}

/** Derives the digests of a snapshot again, by the rule of its version. */
async function verifyDigests(
  db: Db,
  gameId: number,
  link: Link,
  { previous, identities, totals, slices, covered }: ChainFacts & { totals: JoinedTotals; slices: Buffer[]; covered: Window },
  findings: Findings,
): Promise<void> {
  const stored = link.digest.toString('hex');
  if (link.digest_version === 1) {
    findings.same('snapshot_digest', stored, digestSnapshot(previous, covered, slices, totals).toString('hex'));
    return;
  }
  const facts = digestFacts(covered, slices, totals);
  findings.same('facts_digest', link.facts_digest?.toString('hex') ?? 'none', facts.toString('hex'));
  const recipients = await listRecipientsOfSnapshot(db, gameId, link.snapshot_id);
  for (const row of recipients) verifyIdentity(row, identities, findings);
  const digest = digestLink({
    position: link.chain_no,
    previous,
    created_at: link.created_at,
    window: { start: link.window_start, end: link.window_end },
    covered_until: link.covered_until,
    generated_at: link.generated_at,
    status: parseSnapshotStatus(link.status),
    facts,
    responses: await listResponseHeads(db, gameId, link),
    recipients: recipients.map((row) => ({ ...row, digest: row.identity_digest })),
  });
  findings.same('snapshot_digest', stored, digest.toString('hex'));
}

/** Compares who a recipient is with their digest. Of an erased person only the digest is left: it names nobody and stays in the chain. */
function verifyIdentity(row: Recipient, { salts, erased }: StoredIdentities, findings: Findings): void {
  const id = row.recipient_player_id;
  if (erased.has(id)) return;
  const salt = salts.get(id);
  findings.must('identity_salt_kept', salt !== undefined, `a salt of recipient ${id}`, 'none');
  if (salt === undefined) return;
  findings.same(`identity of recipient ${id}`, row.identity_digest?.toString('hex') ?? 'none', digestIdentity(salt, row).toString('hex'));
}

/** Compares what a snapshot stores beside its totals with the repeated reconciliation: each check, recipient and count. */
async function compareReconciliation(
  db: Db,
  gameId: number,
  link: Link,
  snapshot: CheckedSnapshot,
  reconciliation: Reconciliation,
  findings: Findings,
): Promise<void> {
  const stored = new Map(snapshot.checks.map((check) => [check.name, writeCheck(check)]));
  for (const check of reconciliation.checks)
    findings.same(`check ${check.name}`, writeCheck(check), stored.get(check.name) ?? 'not stored');
  findings.same(
    'checks_stored',
    reconciliation.checks.map((check) => check.name).join(', '),
    snapshot.checks.map((check) => check.name).join(', '),
  );
  const rows = await listRecipientsOfSnapshot(db, gameId, link.snapshot_id);
  const byId = new Map(rows.map((row) => [row.recipient_player_id, row]));
  findings.same('recipients_stored', String(reconciliation.recipients.length), String(rows.length));
  for (const recipient of reconciliation.recipients) {
    findings.same(
      `recipient ${recipient.recipient_player_id}`,
      writeRecipient(recipient),
      writeRecipient(byId.get(recipient.recipient_player_id)),
    );
  }
  const figures = { ...countFigures(reconciliation), recipient_count: reconciliation.recipients.length };
  for (const [name, figure] of Object.entries(figures)) findings.same(`snapshot ${name}`, String(figure), String(link[name as keyof Link]));
}

function writeCheck({ name, severity, ok, expected, actual, difference, offenders }: Check): string {
  // Lines that were just stored and lines read back may be in another order, and an instant may have other zeros at its end.
  const shown = offenders
    .map((each) => `${each.subject}: ${each.expected} / ${each.actual}`.replace(/(\.\d*?)0+Z/g, '$1Z').replaceAll('.Z', 'Z'))
    .toSorted();
  return [name, severity, ok ? 'holds' : 'broken', expected, actual, difference ?? 'no difference', ...shown].join('; ');
}

function writeRecipient(recipient: Pick<WindowRecipient, (typeof WINDOW_RECIPIENT_COLUMNS)[number]> | undefined): string {
  return recipient ? WINDOW_RECIPIENT_COLUMNS.map((name) => `${name} ${recipient[name] ?? 'not recorded'}`).join(', ') : 'not stored';
}
