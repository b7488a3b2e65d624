import { z } from 'zod';
import type { GameConfig } from '../config.ts';
import { compareInstants, fromMicroseconds, parseInstant, toMicroseconds } from '../core/instant.ts';
import { parseMonth } from '../core/month.ts';
import type { Window } from '../core/window.ts';
import type { OpenGame } from '../games/open-game.ts';
import { type CommandContext, withGame } from './command-context.ts';

/** What a command without a database works with. */
export type CommandOutput = Pick<CommandContext, 'print' | 'log'>;

/** A command as the command line knows it, whatever its options. */
export type CommandDefinition = {
  name: string;
  /** How its options are written in the help. */
  usage: string;
  options: Record<string, z.ZodType>;
  /** What was given, with the name of the command. Errors: `UsageError`. */
  parse(values: Record<string, unknown>): GivenCommand;
} & (
  | { needs: 'nothing'; run(output: CommandOutput, given: GivenCommand): Promise<number> }
  | { needs: 'database' | 'database+invo'; run(context: CommandContext, given: GivenCommand): Promise<number> }
);

export interface GivenCommand {
  name: string;
  isJson: boolean;
}

/** A command line that can't be run, in a sentence. */
export class UsageError extends Error {}

type Options = Record<string, z.ZodType>;
type Values<T extends Options> = { [K in keyof T]: z.output<T[K]> };

interface Definition<T extends Options, Given, Needs> {
  name: string;
  needs: Needs;
  /** Each with its sentence for a wrong value and its part of the help, in the order of the help. `--json` is one of every command. */
  options: T;
  /** What it reads on stdin, for the help. */
  stdin?: string;
  /** What it is given. Default: the options as they are. */
  read?: (values: Values<T>) => Given;
}

/** Defines a command, once: its options, what must be running, and what it does. */
export function defineCommand<T extends Options, Needs extends CommandDefinition['needs'], Given extends object = Values<T>>(
  command: Definition<T, Given, Needs> & {
    run(context: Needs extends 'nothing' ? CommandOutput : CommandContext, given: Given & { isJson: boolean }): Promise<number>;
  },
): CommandDefinition {
  return complete(command, command.options, command.run);
}

/** Defines a command about one game, which `--game` names and which is open when it runs. */
export function defineGameCommand<T extends Options, Given extends object = Values<T>>(
  command: Definition<T, Given, 'database' | 'database+invo'> & {
    run(context: CommandContext, game: OpenGame, given: Given & { isJson: boolean }, config: GameConfig): Promise<number>;
  },
): CommandDefinition {
  return complete(
    command,
    { game: GAME, ...command.options },
    (context: CommandContext, given: Given & { game: string; isJson: boolean }) =>
      withGame(context, given.game, (game, config) => command.run(context, game, given, config)),
  );
}

/** `run` is given what `read` of the same command made of its options, so its types can be left out of the result. */
function complete<T extends Options, Given>(
  { name, needs, stdin, read }: Definition<T, Given, CommandDefinition['needs']>,
  options: Options,
  run: (context: never, given: never) => Promise<number>,
): CommandDefinition {
  const schema = z.object({ ...options, json: flag('') });
  const usage = Object.values(options).flatMap(({ description }) => description || []);
  const parse = (typed: Record<string, unknown>): GivenCommand => {
    const parsed = schema.safeParse(typed);
    if (!parsed.success) throw new UsageError(parsed.error.issues[0]?.message);
    const { json: isJson, ...values }: { json: boolean } & Record<string, unknown> = parsed.data;
    const given = read ? read(values as Values<T>) : values;
    if (isJson && options['out'] === OUT && values['out'] === '-')
      throw new UsageError('--json and --out - both write to stdout. Choose one.');
    return { name, ...('game' in values && { game: values['game'] }), ...given, isJson };
  };
  return { name, needs, usage: usage.join(' ') + (stdin ? `  (${stdin})` : ''), options: schema.shape, parse, run } as CommandDefinition;
}

/** An option without a value. */
export function flag(usage: string): z.ZodType<boolean> {
  return z.boolean().default(false).describe(usage);
}

/** A text that may be left out. */
export function optional(usage: string): z.ZodType<string | null> {
  return z.string().nullable().default(null).describe(usage);
}

/** A text that must be given. `parse` returns null for a wrong one. */
export function required<T>(
  usage: string,
  parse: (text: string) => T | null,
  { missing, wrong = () => missing }: { missing: string; wrong?: (text: string) => string },
): z.ZodType<T> {
  const text = z.string({ error: missing });
  return text
    .transform((given, { issues }) => {
      const parsed = parse(given);
      if (parsed === null) issues.push({ code: 'custom', input: given, message: wrong(given) });
      return parsed as T;
    })
    .describe(usage);
}

/** Files, each an argument of its own. */
export function files(usage: string, missing: string): z.ZodType<string[]> {
  return z.array(z.string()).min(1, missing).describe(usage);
}

/** One of a few words; `otherwise`: the word where none is given. */
export function oneOf<T extends string>(
  usage: string,
  words: readonly T[],
  { wrong, otherwise }: { wrong: (text: unknown) => string; otherwise?: T },
): z.ZodType<T> {
  const word = z.enum(words, { error: ({ input }) => wrong(input) });
  return (otherwise === undefined ? word : word.prefault(otherwise)).describe(usage) as z.ZodType<T>;
}

/** A file to write, or stdout. */
export const OUT = optional('[--out FILE | --out -]');

const GAME = required('--game G', (text) => text, { missing: 'Give a game with --game.' });

/** A month. `missing`: what is shown where it isn't given. */
export function month(missing: string): z.ZodType<string> {
  return required('--month YYYY-MM', parseMonth, { missing, wrong: (text) => `"${text}" isn't a month. Write it as YYYY-MM.` });
}

export const WINDOW = { month: optional('(--month YYYY-MM | --from ISO --to ISO)'), from: optional(''), to: optional('') };
export const NO_WINDOW = 'Give a window: --month, or --from and --to.';

/** The window of a command: a month in the game's time zone, or two instants. */
export type RequestedWindow = { month: string } | { window: Window };

/** Reads the options of a window. Errors: `UsageError`. */
export function readWindow({ month: named, from, to }: { month: string | null; from: string | null; to: string | null }): RequestedWindow {
  if (named !== null && from === null && to === null) {
    const parsed = parseMonth(named);
    if (parsed === null) throw new UsageError(`"${named}" isn't a month. Write it as YYYY-MM.`);
    return { month: parsed };
  }
  if (named !== null || from === null || to === null) throw new UsageError(NO_WINDOW);
  const [start, end] = [parseInstant(from), parseInstant(to)];
  if (start === null || end === null)
    throw new UsageError(`"${start === null ? from : to}" isn't an ISO 8601 instant, such as 2026-10-01T00:00:00Z.`);
  const window = { start: fromMicroseconds(toMicroseconds(start)), end: fromMicroseconds(toMicroseconds(end)) };
  if (compareInstants(window.start, window.end) >= 0)
    throw new UsageError('The window ends before it starts: --to must be after --from, and is not included.');
  return { window };
}
