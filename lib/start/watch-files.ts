import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export type FileWatch = { close: () => void };

/** An editor saves one file in several steps, and a checkout changes many. */
const SETTLES_WITHIN_MS = 150;

/**
 * Calls `onChange` with the files changed below the folders, as paths relative to `root`. One call runs at a time; what changes
 * meanwhile is in the next one. What `onChange` throws goes to `onError`.
 */
export function watchFiles(
  root: string,
  folders: string[],
  { onChange, onError }: { onChange: (files: string[]) => Promise<void>; onError: (error: unknown) => void },
): FileWatch {
  const changed = new Set<string>();
  let isRunning = false;
  const run = async (): Promise<void> => {
    if (isRunning) return;
    isRunning = true;
    while (changed.size > 0) {
      await sleep(SETTLES_WITHIN_MS);
      const files = [...changed].toSorted();
      changed.clear();
      await onChange(files).catch(onError);
    }
    isRunning = false;
  };
  const watchers = folders.map((folder) =>
    fs.watch(path.join(root, folder), { recursive: true }, (_, name) => {
      if (name === null) return;
      changed.add(path.posix.join(folder, name.replaceAll(path.sep, '/')));
      void run();
    }),
  );
  return { close: () => watchers.forEach((watcher) => watcher.close()) };
}

/** What runs of the changed files: tests and documents change nothing that runs. */
export function listChanged(files: string[]): Set<'simulated Invo' | 'migrations' | 'worker'> {
  const running = files.filter((file) => /\.(ts|sql)$/.test(file) && !file.endsWith('.test.ts'));
  const parts = { 'simulated Invo': /^e2e\/upstream\//, migrations: /^db\/migrations\//, worker: /^(lib|db)\// } as const;
  const names = Object.keys(parts) as (keyof typeof parts)[];
  return new Set(names.filter((name) => running.some((file) => parts[name].test(file))));
}
