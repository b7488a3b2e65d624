import { parseArgs } from 'node:util';
import { messageOf } from '../core/format-text.ts';
import { COMMANDS } from './commands.ts';
import type { CommandDefinition, GivenCommand } from './define-command.ts';

export type ParsedCommand =
  | { ok: true; command: GivenCommand; needs: CommandDefinition['needs'] }
  | { ok: false; reason: string; usage: string };

const CALL = 'npm run --silent sharebook --';
const EXITS = "Exit: 0 done, 1 failed, 2 usage, 3 the evidence doesn't reconcile.";

/** The command of a name; undefined: there is none. */
export function findCommand(name: string): CommandDefinition | undefined {
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

/** The options as typed. An option is a flag where its schema takes a boolean. */
function readValues({ options }: CommandDefinition, args: string[]): Record<string, unknown> {
  const types = Object.entries(options).map(([name, option]) => [
    name,
    { type: option.safeParse(true).success ? ('boolean' as const) : ('string' as const) },
  ]);
  const { values } = parseArgs({ args, options: Object.fromEntries(types), strict: true, allowPositionals: false });
  const empty = Object.entries(values).find(([, value]) => value === '')?.[0];
  if (empty !== undefined) throw new Error(`--${empty} is empty.`);
  return values;
}

function usageOfAll(): string {
  const commands = COMMANDS.map(({ name, usage }) => `  ${name.padEnd(13)} ${usage}`.trimEnd());
  return [`Usage: ${CALL} COMMAND [--json]`, ...commands, EXITS].join('\n');
}
