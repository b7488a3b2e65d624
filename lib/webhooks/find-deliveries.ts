import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Db } from '#db/kit/open.ts';
import { parseExactJson } from '#lib/core/exact-json.ts';
import type { OpenGame } from '../games/open-game.ts';
import { type AnswerFields, isFields, parseAnswerTree } from '../invo/shapes/answer-tree.ts';
import { type DeliveryAbout, listDeliveriesAbout } from './reads/deliveries-about.ts';
import { findStoredDelivery, type StoredDelivery } from './reads/stored-delivery.ts';
import { BODY_BYTES_MAX } from './rules/delivery.ts';
import type { Subject } from './rules/event.ts';
import { parseBody } from './rules/parse-body.ts';
import { type ComparedField, compareFields, type ShownField, showFields } from './rules/shown-fields.ts';

/** A delivery as its page shows it. */
export interface ShownDelivery extends Omit<StoredDelivery, 'body'> {
  /** Fields of `data`; null: the bytes are gone or can't be read. */
  fields: ShownField[] | null;
  /** The signed bytes as text; null: not for this person, or gone. */
  raw: string | null;
  /** Whether the bytes are stored, whether or not the reader may see them. */
  hasBody: boolean;
  /** The other delivery of a conflict, and both field by field; null: no conflict. */
  conflict: { partner: Pick<StoredDelivery, 'deliveryId' | 'receivedAt' | 'eventType'>; fields: ComparedField[] | null } | null;
}

interface DeliveryReader {
  canSeeEmails: boolean;
  /** The bytes as they were signed, with every email in them. */
  canSeeBytes: boolean;
}

/** Finds a delivery with its fields as this person may see them; null: there is none of that number. */
export async function findDelivery(db: Db, gameId: number, deliveryId: number, reader: DeliveryReader): Promise<ShownDelivery | null> {
  const found = await findStoredDelivery(db, gameId, deliveryId);
  if (found === null) return null;
  const partner = found.partnerId === null ? null : await findStoredDelivery(db, gameId, found.partnerId);
  const { body, ...delivery } = found;
  const bytes = await inflateBody(body);
  const fields = fieldsOf(bytes, reader);
  const theirs = partner && fieldsOf(await inflateBody(partner.body), reader);
  return {
    ...delivery,
    fields,
    raw: bytes !== null && reader.canSeeBytes ? new TextDecoder().decode(bytes) : null,
    hasBody: body !== null,
    conflict: partner && {
      partner: { deliveryId: partner.deliveryId, receivedAt: partner.receivedAt, eventType: partner.eventType },
      fields: fields && theirs && compareFields(theirs, fields),
    },
  };
}

function fieldsOf(bytes: Buffer | null, reader: DeliveryReader): ShownField[] | null {
  const envelope = bytes === null ? null : parseBody(bytes);
  return envelope === null || typeof envelope === 'string' ? null : showFields(envelope.data, reader);
}

/** A webhook about something a page shows. `facts`: its data by Invo's names, without secrets, emails and phones; null: not stored or not readable. */
export interface EventAbout extends Omit<DeliveryAbout, 'body'> {
  facts: AnswerFields | null;
}

/** Finds the webhooks that name any of these ids, newest first. */
export async function findEventsAbout({ db, gameId }: Pick<OpenGame, 'db' | 'gameId'>, ids: readonly Subject[]): Promise<EventAbout[]> {
  const deliveries = await listDeliveriesAbout(db, gameId, ids);
  const events: EventAbout[] = [];
  // One after another: two hundred of the largest bodies at once are 50 MiB.
  for (const { body, ...delivery } of deliveries) events.push({ ...delivery, facts: factsOf(await inflateBody(body)) });
  return events;
}

function factsOf(bytes: Buffer | null): AnswerFields | null {
  if (bytes === null) return null;
  try {
    const tree = parseAnswerTree(parseExactJson(bytes.toString('utf8')));
    const data = tree.isSound && isFields(tree.value) ? tree.value['data'] : undefined;
    return isFields(data) ? data : null;
  } catch {
    return null;
  }
}

const inflate = promisify(gunzip);

async function inflateBody(body: Buffer | null): Promise<Buffer | null> {
  return body === null ? null : await inflate(body, { maxOutputLength: BODY_BYTES_MAX }).catch(() => null);
}
