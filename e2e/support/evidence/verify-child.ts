import { openDb } from '#db/kit/open.ts';
import { verifyGame } from '#lib/evidence/verify/verify-game.ts';

/** What a process that verified a game reports. */
export interface VerifyReport {
  violations: unknown[];
  slices: number;
  responses: number;
  /** Largest size of the process, in KiB. */
  peak_kib: number;
}

const [url = '', gameId = ''] = process.argv.slice(2);
const open = openDb(url);
const { violations, slices, responses } = await verifyGame(open.db, Number(gameId));
await open.close();
const report: VerifyReport = { violations, slices, responses, peak_kib: process.resourceUsage().maxRSS };
process.stdout.write(JSON.stringify(report));
