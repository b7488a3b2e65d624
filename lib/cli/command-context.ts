import type { Readable, Writable } from 'node:stream';
import type { OpenDb } from '#db/kit/open.ts';
import { type Config, clockOf, findGameConfig, type GameConfig } from '../config.ts';
import { formatZoneChange } from '../core/game.ts';
import { type OpenGame, openGame } from '../games/open-game.ts';

/** The exit codes of the command line. */
export const EXIT = { done: 0, failed: 1, usage: 2, notReconciled: 3 } as const;

export interface Io {
  /** What a command reads that must not be in a process list; absent: nothing is given. */
  stdin?: Readable;
  stdout: Writable;
  stderr: Writable;
}

/** What a command works with: the configuration, the database and its output. */
export interface CommandContext {
  config: Config;
  open: OpenDb;
  io: Io;
  /** The data on this machine; null: not named. */
  dataFolder: string | null;
  owner: string;
  /** Writes progress and messages to stderr. */
  log(line: string): void;
  /** Writes the result to stdout, and nothing else goes there. */
  print(line: string): void;
}

const EMAIL_BYTES_MAX = 4_096;

/** Reads the email a command is about from the first line of stdin, where no process list shows it; empty when there is none. */
export async function readEmail({ io }: CommandContext): Promise<string> {
  let text = '';
  for await (const chunk of io.stdin ?? []) {
    text += String(chunk);
    if (text.length > EMAIL_BYTES_MAX) break;
  }
  return text.split('\n')[0]?.trim() ?? '';
}

/** Does a command's work with its game; one that isn't configured, or whose reporting time zone changed, is wrong usage. */
export async function withGame(
  context: CommandContext,
  slug: string,
  work: (game: OpenGame, config: GameConfig) => Promise<number>,
): Promise<number> {
  const config = findGameConfig(context.config, slug);
  if (!config) {
    context.log(
      `No game "${slug}" is configured. Configured games: ${context.config.games.map((game) => game.slug).join(', ') || 'none'}.`,
    );
    return EXIT.usage;
  }
  const game = await openGame(context.open.db, config, {
    settleLag_minutes: context.config.settleLag_minutes,
    isSimulated: context.config.isSimulated,
    now: clockOf(context.config),
  });
  const changed = formatZoneChange(game, config);
  if (changed !== null) {
    context.log(changed);
    return EXIT.usage;
  }
  return work(game, config);
}
