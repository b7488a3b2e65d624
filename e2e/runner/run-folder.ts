import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from '#lib/start/data-folder.ts';
import { identifyProcess, isSameProcess } from '#lib/start/file-lock.mjs';
import { removeData } from './seeded-data.ts';

/** Reports, the seeded data, and the folders of the runs. */
export const TESTS = path.join(ROOT, '.data', 'test');

/** Gives `work` a folder for the data of the servers that it starts; removes them afterwards, and those that a killed run left. */
export async function withRunFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  for (const name of fs.existsSync(TESTS) ? fs.readdirSync(TESTS) : []) {
    const owner = path.join(TESTS, name, 'owner');
    if (/^run-\d+$/.test(name) && !isAlive(owner)) await removeRun(path.join(TESTS, name));
  }
  const folder = path.join(TESTS, `run-${process.pid}`);
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'owner'), identifyProcess(process.pid) ?? '');
  try {
    return await work(folder);
  } finally {
    await removeRun(folder);
  }
}

function isAlive(owner: string): boolean {
  return fs.existsSync(owner) && isSameProcess(fs.readFileSync(owner, 'utf8'));
}

async function removeRun(run: string): Promise<void> {
  for (const entry of fs.readdirSync(run, { withFileTypes: true })) {
    if (entry.isDirectory()) await removeData(path.join(run, entry.name));
  }
  fs.rmSync(run, { recursive: true, force: true });
}
