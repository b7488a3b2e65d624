import { gunzipSync } from 'node:zlib';
import { type DeliveryAbout, listDeliveriesAbout } from '#db/webhooks/reads/deliveries-about.ts';
import { parseExactJson } from '#lib/core/exact-json.ts';
import type { OpenGame } from '../games/open-game.ts';
import { type AnswerFields, isFields, readTree } from '../invo/shapes/lenient.ts';
import type { Subject } from './rules/event.ts';

/** A webhook about something a page shows. `facts`: its data by Invo's names, without secrets, emails and phones; null: not kept or not readable. */
export interface EventAbout extends Omit<DeliveryAbout, 'body'> {
  facts: AnswerFields | null;
}

/** Finds the webhooks that name any of these ids, newest first. */
export async function findEventsAbout({ db, gameId }: Pick<OpenGame, 'db' | 'gameId'>, ids: readonly Subject[]): Promise<EventAbout[]> {
  const deliveries = await listDeliveriesAbout(db, gameId, ids);
  return deliveries.map(({ body, ...delivery }) => ({ ...delivery, facts: body === null ? null : factsOf(body) }));
}

function factsOf(body: Buffer): AnswerFields | null {
  try {
    const tree = readTree(parseExactJson(gunzipSync(body).toString('utf8')));
    const data = tree.isSound && isFields(tree.value) ? tree.value['data'] : undefined;
    return isFields(data) ? data : null;
  } catch {
    return null;
  }
}
