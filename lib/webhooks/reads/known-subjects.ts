import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import type { SubjectKind } from '../rules/delivery.ts';
import { type KnownSubject, type KnownSubjectRow, reshapeSubjects, withReading } from './deliveries-about.ts';

// A thing is named by a few deliveries: of so many mentions, the newest, at least a page of things is left.
const MENTIONS_MAX = 1_000;

/** Lists the ids of a kind that the newest 1,000 mentions of that kind name: each once, by its newest delivery, newest first. */
export async function listNewestSubjects(db: Db, gameId: number, kind: SubjectKind, limit: number): Promise<KnownSubject[]> {
  const { rows } = await sql<KnownSubjectRow>`
    select newest.*, opened.outcome as "readOutcome" from (
      select distinct on (named.id_text) named.id_text as "idText", event_type as "eventType", received_at as "receivedAt",
        delivery.delivery_id as "deliveryId"
      from (
        select id_text, delivery_id from delivery_subject where game_id = ${gameId} and kind = ${kind}
        order by delivery_id desc limit ${MENTIONS_MAX}
      ) named join delivery on delivery.game_id = ${gameId} and delivery.delivery_id = named.delivery_id
      where state <> 'other_game'
      order by named.id_text, delivery.delivery_id desc
    ) newest ${withReading(gameId, kind)} order by "deliveryId" desc limit ${limit}`.execute(db);
  return reshapeSubjects(rows);
}

/** Lists those among some ids of a kind that a delivery of this type names. */
export async function listNamedBy(db: Db, gameId: number, kind: SubjectKind, ids: readonly string[], eventType: string): Promise<string[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ idText: string }>`
    select distinct about.id_text as "idText" from delivery_subject about
      join delivery on delivery.game_id = ${gameId} and delivery.delivery_id = about.delivery_id
    where about.game_id = ${gameId} and about.kind = ${kind} and about.id_text in (${sql.join(ids)}) and event_type = ${eventType}
      and state <> 'other_game'`.execute(db);
  return rows.map(({ idText }) => idText);
}
