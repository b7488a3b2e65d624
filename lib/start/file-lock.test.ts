import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withFileLock } from './file-lock.ts';
import { identifyProcess, isSameProcess } from './process-identity.ts';

let file: string;

beforeEach(() => {
  file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'sharebook-lock-')), 'lock');
});

afterEach(() => fs.rmSync(path.dirname(file), { recursive: true, force: true }));

describe('a lock file', () => {
  it('lets one in at a time', async () => {
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

  it('is given back after an error', async () => {
    await expect(withFileLock(file, () => Promise.reject(new Error('broke')))).rejects.toThrow('broke');
    expect(await withFileLock(file, async () => 'in')).toBe('in');
    expect(fs.readdirSync(path.dirname(file))).toEqual([]);
  });

  it('is taken over from a dead holder, also when its number lives again in another process', async () => {
    for (const dead of ['999999999:1', `${process.ppid}:1`]) {
      fs.writeFileSync(file, dead);
      expect(await withFileLock(file, async () => 'in')).toBe('in');
    }
  });

  it('is not taken from a living holder: names it and gives up', async () => {
    const holder = identifyProcess(process.ppid) ?? '';
    fs.writeFileSync(file, holder);
    await expect(withFileLock(file, async () => 'in', 200)).rejects.toThrow(`held by process ${holder}`);
  });
});

describe('the identity of a process', () => {
  it('holds for the process and for no other', () => {
    const mine = identifyProcess(process.pid) ?? '';
    expect(isSameProcess(mine)).toBe(true);
    expect(isSameProcess(`${process.pid}:1`)).toBe(false);
    expect(isSameProcess('nonsense')).toBe(false);
    expect(identifyProcess(999_999_999)).toBeNull();
  });
});
