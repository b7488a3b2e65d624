import 'server-only';
import { hostname } from 'node:os';
import { db } from '#app/_server/server-context.ts';
import type { Sender } from '#lib/actions/press-action.ts';
import { openRestoreGuard } from '#lib/refunds/check-restore.ts';

/** This web process as the sender of what people press. Without a data folder of its own it can't tell a restored database; `restore-check` does it then. */
export function webSender(): Sender {
  const owner = `web ${hostname()} ${process.pid}`;
  const folder = process.env['SHAREBOOK_DATA'];
  const guard = folder ? openRestoreGuard({ db: db(), folder, owner }) : null;
  return { owner, beforeSending: async () => await guard?.advance() };
}
