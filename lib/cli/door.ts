import type { Writable } from 'node:stream';
import type { OpenDb } from '#db/kit/open.ts';
import type { Config } from '../config.ts';

/** What a command answers its caller with (product page, commands). */
export const EXIT = { done: 0, failed: 1, usage: 2, doesNotTieOut: 3 } as const;

export interface Io {
  stdout: Writable;
  stderr: Writable;
}

/** What a command works with: the configuration, the database, and where its words go. stdout carries only the result. */
export interface Door {
  config: Config;
  open: OpenDb;
  io: Io;
  owner: string;
  say(line: string): void;
  result(line: string): void;
}
