import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { OpenDb } from '#db/kit/open.ts';
import { type Config, clockOf, findGameConfig, type GameConfig } from '../config.ts';
import { formatZoneChange } from '../core/game.ts';
import type { InvoFailure } from '../games/game-context.ts';
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
  /** Writes to stderr why nothing was done; returns the exit code, `failed` unless it is another. */
  fail(line: string, code?: number): number;
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

/**
 * Reads the file that a command names, or `input` in its place, such as stdin. Little more than `bytesMax` is read, so that who gets the bytes refuses what is larger. Returns
 * null when it can't be read, and prints the reason on stderr.
 */
export async function loadFile(
  { log }: Pick<CommandContext, 'log'>,
  name: string,
  { bytesMax, input = createReadStream(name) }: { bytesMax: number; input?: AsyncIterable<unknown> },
): Promise<Uint8Array | null> {
  try {
    const pieces: Buffer[] = [];
    let length = 0;
    for await (const piece of input) {
      const bytes = Buffer.from(piece as Uint8Array);
      length += bytes.length;
      pieces.push(bytes);
      if (length > bytesMax) break;
    }
    return Buffer.concat(pieces);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    log(isMissing ? `There is no file ${name}.` : `${name} can't be read.`);
    return null;
  }
}

/** Does a command's work with its game; one that isn't configured, or whose reporting time zone changed, is wrong usage. */
export async function withGame(
  context: CommandContext,
  slug: string,
  work: (game: OpenGame, config: GameConfig) => Promise<number>,
): Promise<number> {
  const config = findGameConfig(context.config, slug);
  if (!config) return failUnknownGame(context, slug);
  const game = await openGame(context.open.db, config, {
    settleLag_minutes: context.config.settleLag_minutes,
    isSimulated: context.config.isSimulated,
    now: clockOf(context.config),
  });
  const changed = formatZoneChange(game, config);
  return changed === null ? work(game, config) : context.fail(changed, EXIT.usage);
}

/** The end of a command about a game that isn't configured. */
export function failUnknownGame({ config, fail }: CommandContext, slug: string): number {
  const configured = config.games.map((game) => game.slug).join(', ') || 'none';
  return fail(`No game "${slug}" is configured. Configured games: ${configured}.`, EXIT.usage);
}

/** The mode of a file that names accounts: nobody but its owner reads it. */
export const OWNER_ONLY = 0o600;

type Pieces = Iterable<Uint8Array | string> | AsyncIterable<Uint8Array>;

/** Writes a file to stdout, as fast as it is read. */
export async function printFile({ io }: CommandContext, pieces: Pieces): Promise<void> {
  for await (const piece of pieces)
    await new Promise<void>((resolve, reject) => io.stdout.write(piece, (error) => (error ? reject(error) : resolve())));
}

/** Makes a folder for files, where there is none. Errors: a sentence that names it. */
export async function makeFolder(name: string): Promise<void> {
  try {
    await mkdir(name, { recursive: true });
  } catch (error) {
    throw writeFailure(name, error);
  }
}

/**
 * Saves a file, under another name first, so that a file with this name is always whole. Its manifest is made once all is written, with the same mode. Errors: a sentence
 * that names the file where it can't be written.
 */
export async function saveFile(
  name: string,
  { bytes, manifest, mode }: { bytes: Pieces; manifest?: () => unknown; mode?: number },
): Promise<void> {
  const part = `${name}.part`;
  const manifestName = `${name}.manifest.json`;
  const manifestPart = `${manifestName}.part`;
  const options = mode === undefined ? {} : { mode };
  const existing = await stat(name).catch(() => null);
  if (existing?.isDirectory()) throw new Error(`${name} is a folder. Name a file with --out.`);
  try {
    await pipeline(Readable.from(bytes), createWriteStream(part, options));
    if (manifest) {
      // An existing file would retain its mode.
      await writeFile(manifestPart, `${JSON.stringify(manifest(), null, 2)}\n`, options);
      await rename(manifestPart, manifestName);
    }
    await rename(part, name);
  } catch (error) {
    // Where the folder is none, there is nothing to remove.
    await Promise.all([part, manifestPart].map((each) => rm(each, { force: true }).catch(() => undefined)));
    throw writeFailure(name, error);
  }
}

/** Why a file or folder can't be written, in a sentence; any other error as it is. */
function writeFailure(name: string, error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error)) return error;
  const { code } = error;
  // Errors about files name them, but those of a full disk.
  if (!('path' in error) && code !== 'ENOSPC') return error;
  const folder = path.dirname(name);
  const reasons: Record<string, string> = {
    ENOENT: `There is no folder ${folder}.`,
    ENOTDIR: `${folder} is not a folder.`,
    EEXIST: `${name} is a file. Name a folder with --out.`,
    ENOSPC: `${name} can't be written: the disk is full.`,
    ENAMETOOLONG: `The name of ${path.basename(name).slice(0, 40)}… is too long.`,
  };
  return new Error(reasons[String(code)] ?? `${name} can't be written (${code}).`, { cause: error });
}

/** A reading of any kind, as far as printing it goes. */
type Reading = { kind: string; readAt?: string; error?: InvoFailure };

/** How a reading came out, as JSON: whether it is live, stored or missing, when it was read, and the error that stood in the way. */
export function readingJson(reading: Reading): {
  read: string;
  read_at: string | null;
  error: { code: string; message: string; error_id: string | null } | null;
} {
  const { kind, readAt = null, error } = reading;
  return {
    read: kind,
    read_at: readAt,
    error: error === undefined ? null : { code: error.code, message: error.sentence, error_id: error.errorId },
  };
}

/** The value of a reading, where it has one. */
export function valueOf<T>(reading: { kind: string; value?: T } | { kind: string }): T | null {
  return 'value' in reading && reading.value !== undefined ? reading.value : null;
}
