import { writeFile } from 'node:fs/promises';
import { findAuditHead } from '#lib/audit/reads/audit-links.ts';
import { listChainHeads } from '#lib/evidence/reads/chain.ts';
import { findGameConfig } from '../config.ts';
import type { ChainHeads } from '../evidence/rules/chain-head.ts';
import { type CommandContext, EXIT } from './command-context.ts';

/** Prints the newest link of each chain, or saves it to a file to keep elsewhere; `verify --head` compares with it. */
export async function chainHeadCommand(
  context: CommandContext,
  command: { game: string | null; out: string | null; isJson: boolean },
): Promise<number> {
  const { db } = context.open;
  const config = command.game === null ? null : findGameConfig(context.config, command.game);
  if (config === undefined || (command.game !== null && config === null)) {
    context.log(`No game "${command.game}" is configured.`);
    return EXIT.usage;
  }
  const found: ChainHeads = { heads: await listChainHeads(db, config), audit: await findAuditHead(db) };
  if (command.out !== null) await writeFile(command.out, `${JSON.stringify(found, null, 2)}\n`);
  if (command.isJson) context.print(JSON.stringify(found));
  else {
    for (const { game, environment, position, digest } of found.heads)
      context.print(`${game} (${environment}): link ${position}, ${digest}`);
    if (found.heads.length === 0) context.print('No snapshot is stored yet, so there is no link.');
    if (found.audit) context.print(`audit: link ${found.audit.position}, ${found.audit.digest}`);
    if (command.out !== null) context.print(`Saved to ${command.out}. Keep it outside the database, and compare with verify --head.`);
  }
  return EXIT.done;
}
