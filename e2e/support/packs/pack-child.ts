import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { openDb } from '#db/kit/open.ts';
import type { GameConfig } from '#lib/config.ts';
import { openGame } from '#lib/games/open-game.ts';
import { exportPack } from '#lib/packs/export-pack.ts';
import { verifyPack } from '#lib/packs/verify-pack.ts';

/** What a process that wrote or verified a pack reports. */
export interface PackReport {
  violations: unknown[];
  lines: number;
  /** Largest size of the process before its work and altogether, in KiB. */
  start_kib: number;
  peak_kib: number;
}

/** Arguments: the file, and to write it the address of the database and the configuration of the game as JSON. */
const [file = '', url, config] = process.argv.slice(2);
const start_kib = process.resourceUsage().maxRSS;
const result = url === undefined || config === undefined ? await verify() : await write(url, gameConfigOf(config));
process.stdout.write(JSON.stringify({ ...result, start_kib, peak_kib: process.resourceUsage().maxRSS } satisfies PackReport));

/** Guarantee of the cast: the test that starts this process writes the configuration of its own game. */
function gameConfigOf(text: string): GameConfig {
  return JSON.parse(text) as GameConfig;
}

async function verify(): Promise<Pick<PackReport, 'violations' | 'lines'>> {
  const { violations, counts } = await verifyPack(file);
  return { violations, lines: counts.lines };
}

async function write(database: string, game: GameConfig): Promise<Pick<PackReport, 'violations' | 'lines'>> {
  const open = openDb(database);
  const opened = await openGame(open.db, game, { settleLag_minutes: 15, now: () => new Date().toISOString() });
  const pack = await exportPack(opened, { runNo: 1 }, { takenBy: 'command line' });
  if (!pack.ok) throw new Error(pack.reason);
  await pipeline(Readable.from(pack.pieces), createWriteStream(file));
  await open.close();
  return { violations: [], lines: pack.run.lineCount };
}
