import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { parseExactJson } from '#lib/core/exact-json.ts';
import type { OpenGame } from '../games/open-game.ts';
import { type AnswerFields, isFields, parseAnswerTree } from '../invo/shapes/answer-tree.ts';
import { BODY_BYTES_MAX } from './read-bounded-body.ts';
import { type DeliveryAbout, listDeliveriesAbout } from './reads/deliveries-about.ts';
import type { Subject } from './rules/event.ts';

/** A webhook about something a page shows. `facts`: its data by Invo's names, without secrets, emails and phones; null: not stored or not readable. */
export interface EventAbout extends Omit<DeliveryAbout, 'body'> {
  facts: AnswerFields | null;
}

/** Finds the webhooks that name any of these ids, newest first. */
export async function findEventsAbout({ db, gameId }: Pick<OpenGame, 'db' | 'gameId'>, ids: readonly Subject[]): Promise<EventAbout[]> {
  const deliveries = await listDeliveriesAbout(db, gameId, ids);
  const events: EventAbout[] = [];
  // One after another: two hundred of the largest bodies at once are 50 MiB.
  for (const { body, ...delivery } of deliveries) events.push({ ...delivery, facts: body === null ? null : await factsOf(body) });
  return events;
}

const inflate = promisify(gunzip);

async function factsOf(body: Buffer): Promise<AnswerFields | null> {
  try {
    const bytes = await inflate(body, { maxOutputLength: BODY_BYTES_MAX });
    const tree = parseAnswerTree(parseExactJson(bytes.toString('utf8')));
    const data = tree.isSound && isFields(tree.value) ? tree.value['data'] : undefined;
    return isFields(data) ? data : null;
  } catch {
    return null;
  }
}
