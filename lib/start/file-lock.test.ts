import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { identifyProcess, isSameProcess, withFileLock } from './file-lock.mjs';

let file: string;

beforeEach(() => {
  file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'sharebook-lock-')), 'lock');
});

afterEach(() => fs.rmSync(path.dirname(file), { recursive: true, force: true }));

describe('withFileLock', () => {
  it('one holder works at a time', async () => {
    let inside = 0;
    const most: number[] = [];
    const work = async (): Promise<void> => {
      inside += 1;
      most.push(inside);
      await sleep(5);
      inside -= 1;
    };
    await Promise.all(Array.from({ length: 8 }, () => withFileLock(file, work)));
    expect(most).toEqual(Array.from({ length: 8 }, () => 1));
  });

  it('a lock is released after an error', async () => {
    await expect(withFileLock(file, () => Promise.reject(new Error('broke')))).rejects.toThrow('broke');
    expect(await withFileLock(file, async () => 'in')).toBe('in');
    expect(fs.readdirSync(path.dirname(file))).toEqual([]);
  });

  it('a lock is taken over from a dead holder, even when another process has its process id', async () => {
    for (const dead of ['999999999:1', `${process.ppid}:1`]) {
      fs.writeFileSync(file, dead);
      expect(await withFileLock(file, async () => 'in')).toBe('in');
    }
  });

  it('a lock of a living holder is not taken over, and the error names the holder', async () => {
    const holder = identifyProcess(process.ppid) ?? '';
    fs.writeFileSync(file, holder);
    await expect(withFileLock(file, async () => 'in', 200)).rejects.toThrow(`held by process ${holder}`);
  });

  it('waiting for a lock ends when the signal is aborted', async () => {
    fs.writeFileSync(file, identifyProcess(process.ppid) ?? '');
    const controller = new AbortController();
    const waiting = withFileLock(file, async () => 'in', 60_000, controller.signal);
    controller.abort();
    await expect(waiting).rejects.toThrow('aborted');
  });
});

describe('identifyProcess', () => {
  it('an identity holds for its own process and for no other', () => {
    const mine = identifyProcess(process.pid) ?? '';
    expect(isSameProcess(mine)).toBe(true);
    expect(isSameProcess(`${process.pid}:1`)).toBe(false);
    expect(isSameProcess('nonsense')).toBe(false);
    expect(identifyProcess(999_999_999)).toBeNull();
  });
});
