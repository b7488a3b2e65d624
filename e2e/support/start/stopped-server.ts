import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { removeAbandonedPostgres, startPostgres } from '#lib/start/postgres/embedded-postgres.ts';

/** A stopped PostgreSQL as a first start leaves it. `initdb` takes longer than the rest of a test, so most tests start over a copy. */
export interface StoppedServer {
  /** Copies it into the folder where the next start expects it. */
  copyTo(folder: string): void;
  remove(): Promise<void>;
}

/** Starts a server in a new folder once, and stops it. */
export async function makeStoppedServer(): Promise<StoppedServer> {
  const initialised = fs.mkdtempSync(path.join(os.tmpdir(), 'sharebook-stopped-'));
  fs.chmodSync(initialised, 0o711);
  await (await startPostgres({ folder: initialised, flags: ['fsync=off'] })).stop();
  return {
    copyTo: (folder) => {
      const data = path.join(folder, 'data');
      fs.cpSync(fs.realpathSync(path.join(initialised, 'data')), data, { recursive: true });
      // PostgreSQL starts over no data that others can read.
      fs.chmodSync(data, 0o700);
      fs.copyFileSync(path.join(initialised, 'password'), path.join(folder, 'password'));
    },
    remove: () => removeAbandonedPostgres(initialised),
  };
}
