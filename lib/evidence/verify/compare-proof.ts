import type { Statement } from '#db/evidence/reads/months/find-statement.ts';
import { countFigures, WINDOW_RECIPIENT_COLUMNS } from '#db/evidence/writes/snapshots.ts';
import type { Db } from '#db/kit/open.ts';
import type { Check } from '../rules/proof/check.ts';
import type { WindowProof, WindowRecipient } from '../rules/proof/prove-window.ts';
import type { Link } from './verify-snapshots.ts';
import type { Findings } from './violation.ts';

/** Holds what a snapshot stores beside its totals against the proof made again: each check, each recipient, each count. */
export async function compareProof(
  db: Db,
  gameId: number,
  link: Link,
  statement: Statement,
  proof: WindowProof,
  findings: Findings,
): Promise<void> {
  const stored = new Map(statement.checks.map((check) => [check.name, writeCheck(check)]));
  for (const check of proof.checks) findings.same(`check ${check.name}`, writeCheck(check), stored.get(check.name) ?? 'not stored');
  findings.same(
    'checks_stored',
    proof.checks.map((check) => check.name).join(', '),
    statement.checks.map((check) => check.name).join(', '),
  );
  const rows = await db
    .selectFrom('snapshot_recipient')
    .selectAll()
    .where('game_id', '=', gameId)
    .where('snapshot_id', '=', link.snapshot_id)
    .execute();
  const byId = new Map(rows.map((row) => [row.recipient_player_id, row]));
  findings.same('recipients_stored', String(proof.recipients.length), String(rows.length));
  for (const recipient of proof.recipients) {
    findings.same(
      `recipient ${recipient.recipient_player_id}`,
      writeRecipient(recipient),
      writeRecipient(byId.get(recipient.recipient_player_id)),
    );
  }
  const figures = { ...countFigures(proof), recipient_count: proof.recipients.length };
  for (const [name, figure] of Object.entries(figures)) findings.same(`snapshot ${name}`, String(figure), String(link[name as keyof Link]));
}

function writeCheck({ name, severity, ok, expected, actual, difference, offenders }: Check): string {
  const shown = offenders.map((each) => `${each.subject}: ${each.expected} / ${each.actual}`);
  return [name, severity, ok ? 'holds' : 'broken', expected, actual, difference ?? 'no difference', ...shown].join('; ');
}

function writeRecipient(recipient: Pick<WindowRecipient, (typeof WINDOW_RECIPIENT_COLUMNS)[number]> | undefined): string {
  return recipient ? WINDOW_RECIPIENT_COLUMNS.map((name) => `${name} ${recipient[name] ?? 'not recorded'}`).join(', ') : 'not stored';
}
