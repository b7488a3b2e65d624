import 'server-only';
import { hostname } from 'node:os';
import type { Sender } from '#lib/actions/action-wire.ts';
import { openRestoreGuard } from '#lib/refunds/check-restore.ts';
import { authSecret, dataFolder, db } from './server-context.ts';

/** This web process as the sender of what people press. Without a data folder of its own it can't tell a restored database; `restore-check` does it then. */
export function webSender(): Sender & { sealKey: Uint8Array } {
  const owner = `web ${hostname()} ${process.pid}`;
  const folder = dataFolder();
  const guard = folder !== null ? openRestoreGuard({ db: db(), folder, owner }) : null;
  return { owner, sealKey: Buffer.from(authSecret()), beforeSending: async () => await guard?.advance() };
}
