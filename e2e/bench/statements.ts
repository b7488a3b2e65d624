import { composeStatement, type EarnedRenewal, type Statement } from '#lib/payouts/rules/statement.ts';
import { drawStatement } from '#lib/payouts/statement-pdf.ts';

// Run by hand: `node e2e/bench/statements.ts`. Draws the statements of 2,000 recipients, ten renewals each, with Latin-1 names and with others.

const RECIPIENTS = 2_000;
const RENEWALS = 10;

for (const [names, name] of [
  ['Latin-1', 'Noor Haddad-Müller'],
  ['Greek and Cyrillic', 'Ωμέγα Жанна'],
] as const) {
  const started_at = performance.now();
  const before = process.cpuUsage();
  let bytes = 0;
  for (let playerId = 1; playerId <= RECIPIENTS; playerId += 1) bytes += (await drawStatement(statementOf(playerId, name))).length;
  const { user, system } = process.cpuUsage(before);
  const seconds = (performance.now() - started_at) / 1_000;
  const cpu_s = (user + system) / 1_000_000;
  const size_kb = bytes / RECIPIENTS / 1_000;
  process.stdout.write(
    `${RECIPIENTS} statements, ${names}: ${seconds.toFixed(1)} s, ${cpu_s.toFixed(1)} s of CPU, ${size_kb.toFixed(1)} kB each\n`,
  );
}

function statementOf(playerId: number, name: string): Statement {
  const renewals = Array.from({ length: RENEWALS }, (_, index): EarnedRenewal => {
    const day = String(index + 1).padStart(2, '0');
    const settledAt = `2026-10-${day}T08:00:00Z`;
    const period = { periodStart: settledAt, periodEnd: `2026-11-${day}T08:00:00Z`, percent: '25.00', base_usd: '8.00' };
    return {
      periodId: index + 1,
      subscriptionId: 'SUB_1790000000_ABCK2F',
      itemName: 'Creator club',
      settledAt,
      ...period,
      attributed_usd: '2.00',
    };
  });
  const earned_usd = `${2 * RENEWALS}.00`;
  const zero = '0.00';
  return composeStatement({
    game: { slug: 'starfall', name: 'Starfall', environment: 'production', timeZone: 'UTC', isSimulated: false },
    run: {
      runNo: 7,
      window: { start: '2026-10-01T00:00:00Z', end: '2026-11-01T00:00:00Z' },
      approvedAt: '2026-11-04T15:05:00Z',
      contentDigest: '3f9a12c4'.repeat(8),
      previous: null,
    },
    line: {
      recipientId: playerId,
      name,
      email: `player-${playerId}@creators.example`,
      outcome: 'payable',
      also: [],
      opening_usd: zero,
      earned_usd,
      reversed_usd: zero,
      pinned_usd: zero,
      adjusted_usd: zero,
      returned_usd: zero,
      due_usd: earned_usd,
      held_usd: zero,
      minimum_usd: '10.00',
      together_usd: earned_usd,
      payable_usd: earned_usd,
      closing_usd: zero,
    },
    renewals,
    reversals: [],
    adjustments: [],
    returned: [],
  });
}
