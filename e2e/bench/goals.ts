import type { Goal, GoalId, Unmeasured } from './goal.ts';

/** Where each goal is measured. Loaded on demand, so that one goal alone loads nothing of the others. */
export const GOALS: Partial<Record<GoalId, (() => Promise<Goal>)[]>> = {
  G1: [async () => (await import('./pull-calls.ts')).pullCalls],
  G2: [async () => (await import('./pull-calls.ts')).unorderedCalls],
  G3: [async () => (await import('./pull-calls.ts')).pullTime],
  G4: [async () => (await import('./pull-local.ts')).localPull],
  G5: [async () => (await import('./csv-files.ts')).liveFiles],
  G6: [async () => (await import('./csv-files.ts')).storedFiles],
  G7: [async () => (await import('./month-pages.ts')).monthPages],
  G8: [async () => (await import('./tables.ts')).readyTables],
  G9: [async () => (await import('./tables.ts')).movingTables, async () => (await import('./tables.ts')).liveTable],
  G10: [async () => (await import('./look-ups.ts')).lookUps],
  G11: [async () => (await import('./month-list.ts')).monthList],
  G12: [async () => (await import('./readers.ts')).readers],
  G13: [async () => (await import('./look-ups.ts')).growth],
  G14: [async () => (await import('./pull-local.ts')).moneySum],
  G15: [async () => (await import('./pull-calls.ts')).recheckCalls],
  G16: [async () => (await import('./start-up.ts')).startUp],
  G17: [async () => (await import('./web-memory.ts')).webMemory, async () => (await import('./pull-memory.ts')).workerMemory],
  G18: [async () => (await import('./deliveries.ts')).deliveries],
  G19: [async () => (await import('./player-look-up.ts')).playerLookUp],
  G20: [async () => (await import('./payout-runs.ts')).payoutRuns, async () => (await import('./payout-runs.ts')).paymentRuns],
};

/** What is printed below the measured works. */
export const UNMEASURED: Unmeasured[] = [
  { id: 'G21', work: '1,000,000 lines as NDJSON from the read API', goal: '≤ 1.25 × COPY', why: 'not measured yet' },
  { id: 'G22', work: '`npm test`; `npm run check`; one test', goal: '≤ 6 min; 45 s; 10 s', why: 'measured apart' },
];
