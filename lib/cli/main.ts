import { hostname } from 'node:os';
import { migrateDatabase } from '#db/kit/migrate.ts';
import { type OpenDb, openDb } from '#db/kit/open.ts';
import { type Config, ConfigError, clockOf, findGameConfig, type GameConfig, readConfig } from '../config.ts';
import { monthWindow } from '../core/month.ts';
import type { Window } from '../core/window.ts';
import { type OpenGame, openGame } from '../games/open-game.ts';
import { doctorCommand } from './doctor-command.ts';
import { type Door, EXIT, type Io } from './door.ts';
import { exportCommand } from './export-command.ts';
import { type AskedWindow, type Command, parseCommand } from './parse-command.ts';
import { pullCommand } from './pull-command.ts';
import { verifyCommand } from './verify-command.ts';

/**
 * Runs one command of the command line over a ground that is laid. Returns the exit code: 0 done, 1 failed, 2 usage, 3 the evidence does not tie out.
 * Errors: none; what goes wrong is a sentence on stderr.
 */
export async function main(argv: string[], env: Record<string, string | undefined>, io: Io): Promise<number> {
  const parsed = parseCommand(argv);
  if (!parsed.ok) {
    io.stderr.write(`${parsed.usage}\n`);
    return EXIT.usage;
  }
  let open: OpenDb | undefined;
  try {
    const config = readConfig(env);
    open = openDb(config.databaseUrl);
    return await runCommand(parsed.command, doorTo(config, open, io));
  } catch (error) {
    io.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof ConfigError ? EXIT.usage : EXIT.failed;
  } finally {
    await open?.close();
  }
}

async function runCommand(command: Command, door: Door): Promise<number> {
  switch (command.name) {
    case 'pull':
      return withGame(door, command.game, (game, config) =>
        pullCommand(door, game, config, { ...command, window: windowOf(command.asked, config) }),
      );
    case 'export':
      return withGame(door, command.game, (game, config) =>
        exportCommand(door, game, { ...command, window: windowOf(command.asked, config) }),
      );
    case 'verify':
      return verifyCommand(door, command);
    case 'doctor':
      return doctorCommand(door, command);
    case 'migrate':
      await migrateDatabase(door.config.databaseUrl);
      door.result(command.isJson ? '{"migrated":true}' : 'The database is at the newest schema.');
      return EXIT.done;
  }
}

async function withGame(door: Door, slug: string, work: (game: OpenGame, config: GameConfig) => Promise<number>): Promise<number> {
  const config = findGameConfig(door.config, slug);
  if (!config) {
    door.say(`There is no game "${slug}". Configured: ${door.config.games.map((game) => game.slug).join(', ') || 'none'}.`);
    return EXIT.usage;
  }
  return work(
    await openGame(door.open.db, door.open.pool, config, { settleLag_minutes: door.config.settleLag_minutes, now: clockOf(door.config) }),
    config,
  );
}

function windowOf(asked: AskedWindow, game: GameConfig): Window {
  return 'month' in asked ? monthWindow(asked.month, game.timeZone) : asked.window;
}

function doorTo(config: Config, open: OpenDb, io: Io): Door {
  return {
    config,
    open,
    io,
    owner: `command line ${hostname()} ${process.pid}`,
    say: (line) => void io.stderr.write(`${line}\n`),
    result: (line) => void io.stdout.write(`${line}\n`),
  };
}
