import type { Db } from '../../../db/open.ts';
import { findSlice } from '../../../db/queries/find-slices.ts';
import { findStatement, type Statement } from '../../../db/queries/find-statement.ts';
import { listResponses } from '../../../db/queries/list-responses.ts';
import { loadSlice } from '../../../db/queries/load-slice.ts';
import { digestSnapshot } from '../../domain/proof/digest.ts';
import { type WindowProof, WindowProver, type WindowRecipient } from '../../domain/proof/prove-window.ts';
import { tilesExactly } from '../../domain/slice-plan.ts';
import { listDifferences } from '../../domain/totals.ts';
import type { Window } from '../../domain/window.ts';
import { reshapeTotals } from '../../invo/reshape-report.ts';
import { readAnswer } from './rebuild-slice.ts';
import type { Findings } from './violation.ts';

interface Link {
  snapshot_id: number;
  chain_no: number;
  previous_digest: Buffer | null;
  digest: Buffer;
  control_window_count: number;
}

/** Walks the chain of a game's snapshots from its first link and proves each of them again. */
export async function verifySnapshots(
  db: Db,
  gameId: number,
  findings: Findings,
  onProgress: (line: string) => void,
): Promise<{ snapshots: number; responses: number }> {
  const chain: Link[] = await db
    .selectFrom('snapshot')
    .select(['snapshot_id', 'chain_no', 'previous_digest', 'digest', 'control_window_count'])
    .where('game_id', '=', gameId)
    .orderBy('chain_no')
    .execute();
  let responses = 0;
  for (const [at, link] of chain.entries()) {
    onProgress(`snapshot ${at + 1} of ${chain.length}`);
    const about = findings.about(`snapshot ${link.snapshot_id}`);
    const previous = chain[at - 1]?.digest ?? null;
    about.same('chain_has_no_gap', String(at + 1), String(link.chain_no));
    about.same('chain_names_the_link_before', previous?.toString('hex') ?? 'none', link.previous_digest?.toString('hex') ?? 'none');
    responses += await verifySnapshot(db, gameId, link, previous, about);
  }
  return { snapshots: chain.length, responses };
}

async function verifySnapshot(db: Db, gameId: number, link: Link, previous: Buffer | null, findings: Findings): Promise<number> {
  const statement = await findStatement(db, gameId, link.snapshot_id);
  const ids = await db
    .selectFrom('snapshot_slice')
    .select('slice_id')
    .where('game_id', '=', gameId)
    .where('snapshot_id', '=', link.snapshot_id)
    .orderBy('slice_no')
    .execute();
  const slices = await Promise.all(ids.map(({ slice_id }) => findSlice(db, gameId, slice_id)));
  const covered: Window = { start: statement.window.start, end: statement.coveredUntil };
  findings.must(
    'slices_tile_the_window',
    tilesExactly(covered, slices),
    `${covered.start} to ${covered.end}`,
    slices.map((slice) => `${slice.start} to ${slice.end}`).join(', '),
  );
  const digest = digestSnapshot(
    previous,
    covered,
    slices.map((slice) => slice.digest),
    statement.totals,
  );
  findings.same('snapshot_digest', link.digest.toString('hex'), digest.toString('hex'));
  const prover = new WindowProver(covered);
  for (const slice of slices) prover.add(await loadSlice(db, gameId, slice.sliceId));
  const proof = prover.close({
    ...statement.totals,
    recipient_count: link.control_window_count === 1 ? statement.totals.recipient_count : null,
  });
  await compareProof(db, gameId, link.snapshot_id, statement, proof, findings);
  return compareControl(
    db,
    gameId,
    link,
    statement,
    covered,
    findings,
    slices.length === 1 && slices[0] ? listDifferences(slices[0].totals, statement.totals).length === 0 : false,
  );
}

async function compareProof(
  db: Db,
  gameId: number,
  snapshotId: number,
  statement: Statement,
  proof: WindowProof,
  findings: Findings,
): Promise<void> {
  const write = (check: { name: string; ok: boolean; expected: string; actual: string }): string =>
    `${check.name} ${check.ok} ${check.expected} ${check.actual}`;
  const stored = new Map(statement.checks.map((check) => [check.name, write(check)]));
  for (const check of proof.checks) findings.same(`check ${check.name}`, stored.get(check.name) ?? 'not stored', write(check));
  findings.same('checks_stored', String(proof.checks.length), String(statement.checks.length));
  findings.must('standing', proof.holds || statement.standing === 'inconsistent', 'inconsistent', statement.standing);
  const rows = await db
    .selectFrom('snapshot_recipient')
    .selectAll()
    .where('game_id', '=', gameId)
    .where('snapshot_id', '=', snapshotId)
    .execute();
  const byId = new Map(rows.map((row) => [row.recipient_player_id, row]));
  findings.same('recipients_stored', String(proof.recipients.length), String(rows.length));
  for (const recipient of proof.recipients) {
    findings.same(
      `recipient ${recipient.recipient_player_id}`,
      writeFigures(recipient),
      writeFigures(byId.get(recipient.recipient_player_id)),
    );
  }
  findings.same(
    'line_counts',
    `${proof.renewal_line_count} and ${proof.reversal_event_count}`,
    `${statement.renewalLineCount} and ${statement.reversalEventCount}`,
  );
}

/** Control totals are evidence too: the answer they came from must still say them. */
async function compareControl(
  db: Db,
  gameId: number,
  link: Link,
  statement: Statement,
  covered: Window,
  findings: Findings,
  isSlicesOwn: boolean,
): Promise<number> {
  const kept = await listResponses(db, gameId, { snapshotId: link.snapshot_id });
  const answers = kept.flatMap((response) => readAnswer(findings, response) ?? []);
  if (link.control_window_count > 1 || isSlicesOwn) return kept.length;
  const whole = answers.filter((answer) => answer.part.start === covered.start && answer.part.end === covered.end);
  const says = whole.some((answer) => listDifferences(reshapeTotals(answer.report), statement.totals).length === 0);
  findings.must(
    'control_totals_of_raw_bytes',
    says,
    'an answer for the whole window with these totals',
    `${whole.length} answers for it, none with them`,
  );
  return kept.length;
}

const FIGURES = [
  'renewal_count',
  'reversal_count',
  'subscription_count',
  'gross_attributed_usd',
  'reversed_attributed_usd',
  'net_attributed_usd',
  'base_mismatch_count',
  'coarse_reversal_count',
  'earlier_reversed_usd',
  'nets_to_zero_count',
] as const satisfies (keyof WindowRecipient)[];

function writeFigures(recipient: Pick<WindowRecipient, (typeof FIGURES)[number]> | undefined): string {
  return recipient ? FIGURES.map((name) => `${name} ${recipient[name]}`).join(', ') : 'not stored';
}
