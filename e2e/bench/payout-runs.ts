import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Bench, Goal, Measurement } from './goal.ts';

const LINES = 100_000;
const QUICK_LINES = 1_000;

/** G20, its first part: what a payout run of many recipients costs to compose, in a process of its own. */
export const payoutRuns: Goal = {
  id: 'G20',
  title: 'a payout run of 100,000 recipients',
  rounds: 3,
  works: {
    composed: { work: 'payout run of 100,000 recipients composed', unit: 's', beside: null, goal: { most: 3 } },
    growth: { work: 'growth of the process meanwhile', unit: 'MB', beside: null, goal: { most: 150 } },
  },
  open,
};

async function open({ isQuick }: Bench): Promise<Measurement> {
  const script = path.join(import.meta.dirname, 'payout-run.ts');
  return {
    round: async () => {
      const { stdout } = await promisify(execFile)(process.execPath, [script, String(isQuick ? QUICK_LINES : LINES)]);
      const { composed_s, growth_MB } = JSON.parse(stdout) as { composed_s: number; growth_MB: number };
      return { composed: { figure: composed_s }, growth: { figure: growth_MB } };
    },
    close: async () => undefined,
  };
}
