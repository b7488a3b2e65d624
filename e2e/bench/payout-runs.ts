import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Bench, Goal, Measurement } from './goal.ts';

const LINES = 100_000;
const QUICK_LINES = 1_000;

const PAYMENTS = 100_000;
const QUICK_PAYMENTS = 1_000;

/** G20, its other parts: what the payment files of a run cost to make and verify, and a bank report to match, in a process of its own. */
export const paymentRuns: Goal = {
  id: 'G20',
  title: 'payments of 100,000 recipients',
  rounds: 1,
  works: {
    files: { work: 'payment files of 100,000 recipients written and proved', unit: 's', beside: null, goal: { most: 5 } },
    filesGrowth: { work: 'growth of the process meanwhile', unit: 'MB', beside: null, goal: { most: 150 } },
    report: { work: 'a bank report of 200,000 rows matched', unit: 's', beside: null, goal: { most: 10 } },
    reportGrowth: { work: 'growth of the process meanwhile', unit: 'MB', beside: null, goal: { most: 150 } },
  },
  open: async ({ isQuick }) => ({
    round: async () => {
      const script = path.join(import.meta.dirname, 'payment-run.ts');
      const { stdout } = await promisify(execFile)(process.execPath, [script, String(isQuick ? QUICK_PAYMENTS : PAYMENTS)]);
      const figures = JSON.parse(stdout) as Record<'made_s' | 'verified_s' | 'files_growth_MB' | 'matched_s' | 'report_growth_MB', number>;
      return {
        files: { figure: figures.made_s + figures.verified_s },
        filesGrowth: { figure: figures.files_growth_MB },
        report: { figure: figures.matched_s },
        reportGrowth: { figure: figures.report_growth_MB },
      };
    },
    close: async () => undefined,
  }),
};

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
