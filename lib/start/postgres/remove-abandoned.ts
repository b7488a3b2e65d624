import fs from 'node:fs';
import path from 'node:path';
import { readPostmaster, stopServer } from './running-server.ts';
import { countUsers } from './users.ts';

/** Removes an embedded Postgres with all its data, unless a living process uses it. Only for data made for tests. */
export async function removeAbandonedPostgres(folder: string): Promise<void> {
  if (countUsers(folder) > 0) return;
  if (!fs.existsSync(folder)) return;
  const link = path.join(folder, 'data');
  const data = fs.existsSync(link) ? fs.realpathSync(link) : null;
  if (data && readPostmaster(data)) await stopServer(data);
  const outside = data && path.dirname(data) !== fs.realpathSync(folder) ? path.dirname(data) : null;
  for (const used of [outside, folder]) if (used) fs.rmSync(used, { recursive: true, force: true });
}
