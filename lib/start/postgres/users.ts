import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { identifyProcess, isSameProcess } from '../process-identity.ts';

/** Notes that this process uses the server, so that another one that stops does not take it away; returns the note's path. */
export function enterServer(folder: string): string {
  const note = path.join(folder, 'users', `${process.pid}-${randomBytes(4).toString('hex')}`);
  fs.mkdirSync(path.dirname(note), { recursive: true });
  fs.writeFileSync(note, identifyProcess(process.pid) ?? String(process.pid));
  return note;
}

/** Takes the note back and tells whether anybody else still uses the server. Notes of dead processes are cleared. */
export function leaveServer(folder: string, note: string): { isLast: boolean } {
  fs.rmSync(note, { force: true });
  return { isLast: countUsers(folder) === 0 };
}

/** Counts the living processes that use the server, clearing the notes of dead ones. */
export function countUsers(folder: string): number {
  const notes = fs.existsSync(path.join(folder, 'users')) ? fs.readdirSync(path.join(folder, 'users')) : [];
  return notes.filter((note) => isLiving(path.join(folder, 'users', note))).length;
}

function isLiving(note: string): boolean {
  const identity = fs.existsSync(note) ? fs.readFileSync(note, 'utf8') : '';
  if (identity && isSameProcess(identity)) return true;
  fs.rmSync(note, { force: true });
  return false;
}
