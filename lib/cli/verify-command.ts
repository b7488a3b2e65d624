import { readFile } from 'node:fs/promises';
import { listVerifiableGames } from '#lib/evidence/reads/verification.ts';
import { type AuditVerification, verifyAudit } from '../audit/verify-audit.ts';
import { findGameConfig } from '../config.ts';
import { type ChainHeads, parseChainHeads } from '../evidence/rules/chain-head.ts';
import type { Violation } from '../evidence/rules/findings.ts';
import { type Verification, verifyGame } from '../evidence/verify/verify-game.ts';
import { type CommandContext, EXIT } from './command-context.ts';

type VerifiedGame = Verification & { game: string; environment: string };

const NO_HEADS: ChainHeads = { heads: [], audit: null };

/** Recomputes all evidence of one game, or of every stored game, and the audit, compares them with exported heads, and prints each violation. */
export async function verifyCommand(
  context: CommandContext,
  command: { game: string | null; head: string | null; isJson: boolean },
): Promise<number> {
  const { db } = context.open;
  const config = command.game === null ? null : findGameConfig(context.config, command.game);
  if (command.game !== null && !config) {
    const configured = context.config.games.map((game) => game.slug).join(', ') || 'none';
    context.log(`No game "${command.game}" is configured. Configured games: ${configured}.`);
    return EXIT.usage;
  }
  const exported = command.head === null ? NO_HEADS : parseChainHeads(await readFile(command.head, 'utf8'));
  if (exported === null) {
    context.log(`${command.head} isn't the output of chain-head and no manifest with a chain_head.`);
    return EXIT.usage;
  }
  const results: VerifiedGame[] = [];
  for (const { gameId, slug, environment } of await listVerifiableGames(db, config ?? null)) {
    const heads = exported.heads.filter((head) => head.game === slug && head.environment === environment);
    const verification = await verifyGame(db, gameId, (line) => context.log(`${slug} ${environment}: ${line}`), heads);
    results.push({ game: slug, environment, ...verification });
  }
  const audit = await verifyAudit(db, exported.audit);
  const lost = config ? [] : listLost(exported, results);
  if (command.isJson) context.print(JSON.stringify({ games: results, audit, ...(lost.length > 0 && { lost }) }));
  else {
    if (results.length === 0) context.print('Nothing is stored yet, so there is nothing to verify.');
    for (const result of results) context.print(formatVerification(result));
    context.print(formatAudit(audit));
    for (const violation of lost) context.print(formatViolation(violation));
  }
  const isSound = [...results, audit, { violations: lost }].every((result) => result.violations.length === 0);
  return isSound ? EXIT.done : EXIT.notReconciled;
}

/** Exported heads of games that are no longer stored. */
function listLost({ heads }: ChainHeads, results: VerifiedGame[]): Violation[] {
  return heads
    .filter((head) => !results.some((result) => result.game === head.game && result.environment === head.environment))
    .map(({ game, environment, digest }) => ({
      name: 'exported_head',
      subject: `${game} (${environment})`,
      expected: digest,
      actual: 'no such game',
    }));
}

function formatVerification({
  game,
  environment,
  slices,
  snapshots,
  responses,
  refunds,
  runs,
  journals,
  violations,
  warnings,
}: VerifiedGame): string {
  return [
    `${game} (${environment}): ${snapshots} snapshots, ${slices} slices, ${responses} responses, ${refunds} refunds, ${runs} payout runs and ${journals} journals verified: ${verdictOf(violations)}`,
    ...violations.map(formatViolation),
    ...warnings.map((each) => `  warning: ${formatViolation(each).trimStart()}`),
  ].join('\n');
}

function formatAudit({ linked, unlinked, violations }: AuditVerification): string {
  const tail = unlinked === 0 ? '' : `, ${unlinked} not chained yet`;
  return [`audit: ${linked} rows verified${tail}: ${verdictOf(violations)}`, ...violations.map(formatViolation)].join('\n');
}

function verdictOf(violations: Violation[]): string {
  return violations.length === 0 ? 'no violations' : `${violations.length} VIOLATIONS`;
}

function formatViolation({ subject, name, expected, actual }: Violation): string {
  return `  ${subject}: ${name}: expected ${expected}, found ${actual}`;
}
