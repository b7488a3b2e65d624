import { hostname } from 'node:os';
import { parseArgs } from 'node:util';
import { type OpenDb, openDb } from '#db/kit/open.ts';
import { ConfigError, readConfig } from '../config.ts';
import { messageOf } from '../core/strings.ts';
import { EXIT, type Io } from './command-context.ts';
import { COMMANDS } from './commands.ts';
import type { CommandDefinition, GivenCommand } from './define-command.ts';

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
  const fail = (line: string, code: number = EXIT.failed): number => {
    log(line);
    return code;
  };
  const { command } = parsed;
  const definition = findCommand(command.name);
  let open: OpenDb | undefined;
  try {
    if (definition === undefined) throw new Error(`no command ${command.name}`);
    if (definition.needs === 'nothing') return await definition.run({ log, print }, command);
    const config = readConfig(env);
    open = openDb(config.databaseWorkerUrl);
    const owner = `command line ${hostname()} ${process.pid}`;
    return await definition.run({ config, open, owner, io, dataFolder: env['SHAREBOOK_DATA'] || null, log, fail, print }, command);
  } catch (error) {
    return fail(messageOf(error), error instanceof ConfigError ? EXIT.usage : EXIT.failed);
  } finally {
    await open?.close();
  }
}

type ParsedCommand = { ok: true; command: GivenCommand; needs: CommandDefinition['needs'] } | { ok: false; reason: string; usage: string };

const CALL = 'npm run --silent sharebook --';
const EXITS = "Exit: 0 done, 1 failed, 2 usage, 3 the evidence doesn't reconcile.";

/** The command of a name; undefined: there is none. */
function findCommand(name: string): CommandDefinition | undefined {
  return COMMANDS.find((command) => command.name === name);
}

/** Parses a command line and starts nothing. A line that can't be parsed is answered with the reason and the usage, of its command where it names one. */
export function parseCommand(argv: string[]): ParsedCommand {
  const [word = '', option = ''] = argv;
  // A command of two words is another one with the option: it may need less.
  const name = findCommand(`${word} ${option}`) === undefined ? word : `${word} ${option}`;
  const args = argv.slice(name === word ? 1 : 2);
  const command = findCommand(name);
  if (command === undefined)
    return { ok: false, reason: name === '' ? 'Give a command.' : `There is no command "${name}".`, usage: usageOfAll() };
  try {
    return { ok: true, command: command.parse(readValues(command, args)), needs: command.needs };
  } catch (error) {
    return { ok: false, reason: messageOf(error), usage: `Usage: ${CALL} ${name} ${command.usage} [--json]`.replace('  ', ' ') };
  }
}

/** The options as typed. An option is a flag where its schema takes a boolean; where it takes a list, it is what is typed without an option. */
function readValues({ options }: CommandDefinition, args: string[]): Record<string, unknown> {
  const list = Object.entries(options).find(([, option]) => option.safeParse(['FILE']).success)?.[0];
  const types = Object.entries(options)
    .filter(([name]) => name !== list)
    .map(([name, option]) => [name, { type: option.safeParse(true).success ? ('boolean' as const) : ('string' as const) }]);
  const { values, positionals } = parseArgs({
    args,
    options: Object.fromEntries(types),
    strict: true,
    allowPositionals: list !== undefined,
  });
  const empty = Object.entries(values).find(([, value]) => value === '')?.[0];
  if (empty !== undefined) throw new Error(`--${empty} is empty.`);
  return list === undefined ? values : { ...values, [list]: positionals };
}

function usageOfAll(): string {
  const commands = COMMANDS.map(({ name, usage }) => `  ${name.padEnd(13)} ${usage}`.trimEnd());
  return [`Usage: ${CALL} COMMAND [--json]`, ...commands, EXITS].join('\n');
}
