import { type DeliveryRow, listDeliveries } from '#lib/webhooks/reads/list-deliveries.ts';
import type { OpenGame } from '../games/open-game.ts';
import { DELIVERY_STATE_TEXT, formatAbout } from '../webhooks/text.ts';
import { type CommandContext, EXIT } from './command-context.ts';

const LISTED_MAX = 1_000;

/** Lists the newest webhook deliveries of a game, at most 1,000: ids and states, no field of a body. */
export async function deliveriesCommand(
  context: CommandContext,
  game: OpenGame,
  { since, isJson }: { since: string | null; isJson: boolean },
): Promise<number> {
  const page = { sort: 'received_at', dir: 'desc', after: null, limit: LISTED_MAX } as const;
  const { rows, next } = await listDeliveries(game.db, { gameId: game.gameId, since }, { find: '', chip: 'all', page });
  const isCut = next !== null;
  if (isJson) context.print(JSON.stringify({ deliveries: rows.map(jsonOf), has_more: isCut }));
  else {
    for (const row of rows) context.print(lineOf(row));
    context.log(`${rows.length} deliveries${isCut ? `, the newest ${LISTED_MAX}. Give a later --since for fewer` : ''}.`);
  }
  return EXIT.done;
}

function lineOf({ delivery_id, received_at, event_type, state, settled_at, about_kind, about_id, receipt_count }: DeliveryRow): string {
  const about = about_kind === null || about_id === null ? '' : formatAbout(about_kind, about_id);
  const settled = settled_at === null ? '' : ' (settled)';
  const cells = [delivery_id, received_at.slice(0, 19), event_type ?? 'unreadable', `${DELIVERY_STATE_TEXT[state].label}${settled}`, about];
  return [...cells, receipt_count === 1 ? '' : `${receipt_count} attempts`].join('  ').trimEnd();
}

function jsonOf(row: DeliveryRow): unknown {
  return {
    delivery_id: row.delivery_id,
    received_at: row.received_at,
    event_type: row.event_type,
    state: row.state,
    settled_at: row.settled_at,
    about: row.about_kind === null ? null : { kind: row.about_kind, id: row.about_id },
    attempts: row.receipt_count,
    idempotency_key: row.idempotency_key,
    secret_slot: row.secret_slot,
    secret_version: row.secret_version,
    is_test: row.is_test,
    read_outcome: row.read_outcome,
  };
}
