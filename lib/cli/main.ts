import { hostname } from 'node:os';
import { type OpenDb, openDb } from '#db/kit/open.ts';
import { type Config, ConfigError, readConfig } from '../config.ts';
import { messageOf } from '../core/format-text.ts';
import { type CommandContext, EXIT, type Io } from './command-context.ts';
import { findCommand, parseCommand } from './parse-command.ts';

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

/** Prints on stdout why a command without a result failed, where `--json` requests an object; otherwise nothing. */
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
  const print = (line: string): void => {
    output.isPrinted = true;
    io.stdout.write(`${line}\n`);
  };
  const { command } = parsed;
  const definition = findCommand(command.name);
  let open: OpenDb | undefined;
  try {
    if (definition === undefined) throw new Error(`no command ${command.name}`);
    if (definition.needs === 'nothing') return await definition.run({ log, print }, command);
    const config = readConfig(env);
    open = openDb(config.databaseWorkerUrl);
    const dataFolder = env['SHAREBOOK_DATA'] || null;
    return await definition.run(createContext(config, open, { io, dataFolder, log, print }), command);
  } catch (error) {
    log(messageOf(error));
    return error instanceof ConfigError ? EXIT.usage : EXIT.failed;
  } finally {
    await open?.close();
  }
}

function createContext(config: Config, open: OpenDb, given: Pick<CommandContext, 'io' | 'dataFolder' | 'log' | 'print'>): CommandContext {
  return { config, open, owner: `command line ${hostname()} ${process.pid}`, ...given };
}
