import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Db } from '#db/kit/open.ts';
import { BODY_BYTES_MAX } from './read-bounded-body.ts';
import { findStoredDelivery, type StoredDelivery } from './reads/stored-delivery.ts';
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

export interface DeliveryReader {
  canSeeEmails: boolean;
  /** The bytes as they were signed, with every email in them. */
  canSeeBytes: boolean;
}

const inflate = promisify(gunzip);

/** Finds a delivery with its fields as this person may see them; null: there is none of that number. */
export async function findDelivery(db: Db, gameId: number, deliveryId: number, reader: DeliveryReader): Promise<ShownDelivery | null> {
  const found = await findStoredDelivery(db, gameId, deliveryId);
  if (found === null) return null;
  const partner = found.partnerId === null ? null : await findStoredDelivery(db, gameId, found.partnerId);
  const { body, ...delivery } = found;
  const bytes = await inflateBody(body);
  const fields = fieldsOf(bytes, reader);
  const theirs = partner === null ? null : fieldsOf(await inflateBody(partner.body), reader);
  return {
    ...delivery,
    fields,
    raw: bytes !== null && reader.canSeeBytes ? new TextDecoder().decode(bytes) : null,
    hasBody: body !== null,
    conflict:
      partner === null
        ? null
        : {
            partner: { deliveryId: partner.deliveryId, receivedAt: partner.receivedAt, eventType: partner.eventType },
            fields: fields === null || theirs === null ? null : compareFields(theirs, fields),
          },
  };
}

async function inflateBody(body: Buffer | null): Promise<Buffer | null> {
  return body === null ? null : await inflate(body, { maxOutputLength: BODY_BYTES_MAX }).catch(() => null);
}

function fieldsOf(bytes: Buffer | null, reader: DeliveryReader): ShownField[] | null {
  const envelope = bytes === null ? null : parseBody(bytes);
  return envelope === null || typeof envelope === 'string' ? null : showFields(envelope.data, reader);
}
