import type { Db } from '#db/kit/open.ts';
import { digestIdentity } from '../digest.ts';
import { WINDOW_RECIPIENT_COLUMNS } from '../reads/columns.ts';
import { listResponses, listSlicesOfSnapshot, loadSlice } from '../reads/slices.ts';
import { type CheckedSnapshot, findSnapshot } from '../reads/snapshots.ts';
import { listRecipientsOfSnapshot, listResponseHeads, listSnapshotRows, type StoredIdentities } from '../reads/verification.ts';
import type { SliceEvidence } from '../rules/evidence.ts';
import type { Findings } from '../rules/findings.ts';
import type { Check } from '../rules/reconciliation/check.ts';
import { countFigures, type Reconciliation, type WindowRecipient } from '../rules/reconciliation/check-window.ts';
import { proveSnapshot } from './prove-snapshot.ts';
import { readAnswer } from './rebuild.ts';

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

async function verifySnapshot(
  db: Db,
  gameId: number,
  link: Link,
  { previous, identities }: ChainFacts,
  findings: Findings,
): Promise<number> {
  const snapshot = await findSnapshot(db, gameId, link.snapshot_id);
  const slices = await listSlicesOfSnapshot(db, gameId, link.snapshot_id);
  const recipients = await listRecipientsOfSnapshot(db, gameId, link.snapshot_id);
  if (link.digest_version !== 1) for (const row of recipients) verifyIdentity(row, identities, findings);
  const responses = await listResponses(db, gameId, { snapshotId: link.snapshot_id });
  const evidence = async function* (): AsyncGenerator<SliceEvidence> {
    for (const { sliceId } of slices) yield await loadSlice(db, gameId, sliceId);
  };
  const reconciliation = await proveSnapshot(
    {
      link: { ...link, totals: snapshot.totals },
      previous,
      slices,
      answers: responses.flatMap((response) => readAnswer(findings, response) ?? []),
      heads: await listResponseHeads(db, gameId, link),
      recipients: recipients.map((row) => ({ ...row, digest: row.identity_digest })),
    },
    evidence(),
    findings,
  );
  if (reconciliation !== null) compareReconciliation(link, recipients, snapshot, reconciliation, findings);
  return responses.length;
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
function compareReconciliation(
  link: Link,
  rows: readonly Recipient[],
  snapshot: CheckedSnapshot,
  reconciliation: Reconciliation,
  findings: Findings,
): void {
  const stored = new Map(snapshot.checks.map((check) => [check.name, writeCheck(check)]));
  for (const check of reconciliation.checks)
    findings.same(`check ${check.name}`, writeCheck(check), stored.get(check.name) ?? 'not stored');
  findings.same(
    'checks_stored',
    reconciliation.checks.map((check) => check.name).join(', '),
    snapshot.checks.map((check) => check.name).join(', '),
  );
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
