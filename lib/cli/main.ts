import { hostname } from 'node:os';
import { migrateDatabase } from '#db/kit/migrate.ts';
import { type OpenDb, openDb } from '#db/kit/open.ts';
import { type Config, ConfigError, clockOf, findGameConfig, type GameConfig, readConfig } from '../config.ts';
import { monthWindow } from '../core/month.ts';
import type { Window } from '../core/window.ts';
import { formatVerifyCoverage, UNCOVERED, VERIFIED_PAYOUT_TABLES, VERIFIED_TABLES } from '../evidence/verify/coverage.ts';
import { type OpenGame, openGame } from '../games/open-game.ts';
import { formatZoneChange } from '../games/text.ts';
import { COVERED_ROUTES, formatCoverage, formatRoute, USE_LABELS } from '../invo/rules/covered-routes.ts';
import { balancesCommand } from './balances-command.ts';
import { chainHeadCommand } from './chain-head-command.ts';
import { type CommandContext, EXIT, type Io } from './command-context.ts';
import { confirmPersonCommand } from './confirm-person-command.ts';
import { deliveriesCommand } from './deliveries-command.ts';
import { doctorCommand } from './doctor-command.ts';
import { eraseCommand } from './erase-command.ts';
import { exportCommand } from './export-command.ts';
import { journalCommand } from './journal-command.ts';
import { type AskedWindow, type Command, parseCommand } from './parse-command.ts';
import { closeCheckCommand, payoutCommand } from './payout-command.ts';
import { playerCommand } from './player-command.ts';
import { pullCommand } from './pull-command.ts';
import { orderCommand, transferCommand } from './record-commands.ts';
import { restoreCheckCommand } from './restore-check-command.ts';
import { statementCommand } from './statement-command.ts';
import { verifyCommand } from './verify-command.ts';

/**
 * Runs one command of the command line against a prepared database. Returns the exit code: 0 done, 1 failed, 2 usage, 3 not reconciled.
 * Errors: none; a failure is a message on stderr, and with `--json` an object on stdout too, unless the command printed one.
 */
export async function main(argv: string[], env: Record<string, string | undefined>, io: Io): Promise<number> {
  const output: Output = { isPrinted: false, messages: [] };
  const code = await runLine(argv, env, { io, output });
  if (code !== EXIT.done && !output.isPrinted) printFailure(argv, { code, message: output.messages.join('\n') }, io);
  return code;
}

/** Prints on stdout why a command without a result failed, where `--json` asks for an object; otherwise nothing. */
export function printFailure(
  argv: readonly string[],
  { code, message }: { code: number; message: string },
  { stdout }: Pick<Io, 'stdout'>,
): void {
  if (argv.includes('--json')) stdout.write(`${JSON.stringify({ error: { exit_code: code, message } })}\n`);
}

/** What a command has printed, and what it wrote to stderr. */
interface Output {
  isPrinted: boolean;
  messages: string[];
}

async function runLine(
  argv: string[],
  env: Record<string, string | undefined>,
  { io, output }: { io: Io; output: Output },
): Promise<number> {
  const log = (line: string): void => {
    output.messages.push(line);
    io.stderr.write(`${line}\n`);
  };
  const parsed = parseCommand(argv);
  if (!parsed.ok) {
    output.messages.push(parsed.reason);
    io.stderr.write(`${parsed.reason}\n\n${parsed.usage}\n`);
    return EXIT.usage;
  }
  if (parsed.command.name === 'routes') return printRoutes(parsed.command, io);
  if (parsed.command.name === 'verify-coverage') return printVerifyCoverage(parsed.command, io);
  let open: OpenDb | undefined;
  try {
    const config = readConfig(env);
    open = openDb(config.databaseWorkerUrl);
    const print = (line: string): void => {
      output.isPrinted = true;
      io.stdout.write(`${line}\n`);
    };
    const dataFolder = env['SHAREBOOK_DATA'] || null;
    return await runCommand(parsed.command, createContext(config, open, { io, dataFolder, log, print }));
  } catch (error) {
    log(error instanceof Error ? error.message : String(error));
    return error instanceof ConfigError ? EXIT.usage : EXIT.failed;
  } finally {
    await open?.close();
  }
}

async function runCommand(command: Exclude<Command, { name: 'routes' | 'verify-coverage' }>, context: CommandContext): Promise<number> {
  switch (command.name) {
    case 'pull':
      return withGame(context, command.game, (game, config) =>
        pullCommand(context, game, config, { ...command, window: windowOf(command.asked, config) }),
      );
    case 'export':
      return withGame(context, command.game, (game, config) =>
        exportCommand(context, game, { ...command, window: windowOf(command.asked, config) }),
      );
    case 'payout':
      return withGame(context, command.game, (game) => payoutCommand(context, game, command));
    case 'statement':
      return withGame(context, command.game, (game) => statementCommand(context, game, command));
    case 'close-check':
      return withGame(context, command.game, (game) => closeCheckCommand(context, game, command));
    case 'journal':
      return withGame(context, command.game, (game) => journalCommand(context, game, command));
    case 'deliveries':
      return withGame(context, command.game, (game) => deliveriesCommand(context, game, command));
    case 'player':
      return withGame(context, command.game, (game, config) => playerCommand(context, game, config, command));
    case 'order':
      return withGame(context, command.game, (game, config) => orderCommand(context, game, config, command));
    case 'transfer':
      return withGame(context, command.game, (game, config) => transferCommand(context, game, config, command));
    case 'balances':
      return withGame(context, command.game, (game, config) => balancesCommand(context, game, config, command));
    case 'verify':
      return verifyCommand(context, command);
    case 'erase':
      return withGame(context, command.game, (game) => eraseCommand(context, game, command));
    case 'chain-head':
      return chainHeadCommand(context, command);
    case 'doctor':
      return doctorCommand(context, command);
    case 'confirm-person':
      return confirmPersonCommand(context, command);
    case 'restore-check':
      return restoreCheckCommand(context, command);
    case 'migrate':
      await migrateDatabase(context.config.databaseMigrateUrl);
      context.print(command.isJson ? '{"migrated":true}' : 'The database schema is up to date.');
      return EXIT.done;
  }
}

/** Every route of Invo's contract and how it is used. It needs neither a database nor a game. */
function printRoutes({ isJson }: { isJson: boolean }, io: Io): number {
  const lines = COVERED_ROUTES.map((route) => `${USE_LABELS[route.use].padEnd(9)} ${formatRoute(route).padEnd(78)} ${route.note}`);
  const text = isJson ? JSON.stringify({ routes: COVERED_ROUTES }) : [...lines, formatCoverage(COVERED_ROUTES)].join('\n');
  io.stdout.write(`${text}\n`);
  return EXIT.done;
}

/** The columns that `verify` covers. It needs neither a database nor a game. */
function printVerifyCoverage({ isJson }: { isJson: boolean }, io: Io): number {
  const covered = { tables: [...VERIFIED_TABLES, ...VERIFIED_PAYOUT_TABLES], not_covered: UNCOVERED };
  io.stdout.write(`${isJson ? JSON.stringify(covered) : formatVerifyCoverage()}\n`);
  return EXIT.done;
}

async function withGame(
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
  const game = await openGame(context.open.db, context.open.pool, config, {
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

function windowOf(asked: AskedWindow, game: GameConfig): Window {
  return 'month' in asked ? monthWindow(asked.month, game.timeZone) : asked.window;
}

function createContext(config: Config, open: OpenDb, given: Pick<CommandContext, 'io' | 'dataFolder' | 'log' | 'print'>): CommandContext {
  return { config, open, owner: `command line ${hostname()} ${process.pid}`, ...given };
}
