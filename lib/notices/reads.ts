import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { parseEnum } from '#lib/core/strings.ts';
import type { Window } from '#lib/core/window.ts';
import { driftedRuns } from '#lib/payouts/reads/run-facts.ts';
import {
  MAIL_STATES,
  type MailState,
  NOTICE_KINDS,
  type NoticeFacts,
  type NoticeKind,
  REACHES,
  type Reach,
  reachesOf,
} from './rules/notice-kinds.ts';

/** What a notice is about, of its row with its game and its actor. */
export const NOTICE_FACTS: RawBuilder<NoticeFacts> = sql`notice.kind, game.name as "gameName", game.slug, game.environment, game.time_zone as "timeZone",
  notice.window_start as "windowStart", notice.run_no as "runNo",
  case when notice.kind = 'payment_alarm' then substring(notice.subject from '^report (\\d+) ')::int end as "reportNo",
  notice.amount_usd, notice.recipient_count as "recipientCount", actor.name as "actorName",
  notice.about, notice.roles`;

/** A notice as one person has it. */
export type ReceivedNotice = NoticeFacts & {
  gameId: number;
  noticeId: number;
  occurredAt: string;
  seenAt: string | null;
  mailState: MailState;
};

/** A person's notices, newest first, with how far each kind reaches them, and whether there are older ones. */
export interface Notices {
  notices: ReceivedNotice[];
  hasMore: boolean;
  reaches: Record<NoticeKind, Reach>;
}

/** Lists the newest notices of a person, or those older than a position, and their settings. */
export async function listNotices(db: Db, personId: string, limit: number, before: NoticePosition | null = null): Promise<Notices> {
  const isOlder =
    before === null
      ? sql<boolean>`true`
      : sql<boolean>`(notice.occurred_at, notice.notice_id) < (${before.occurredAt}::timestamptz, ${before.noticeId}::bigint)`;
  const { rows } = await sql<ReceivedNotice & { noticeId: number | null; settings: Record<string, string> }>`
    select received.*, setting.settings
    from (select coalesce(json_object_agg(kind, reach), '{}') as settings from notice_setting where person_id = ${personId}) setting
      left join lateral (
        select notice.game_id as "gameId", notice.notice_id as "noticeId", notice.occurred_at as "occurredAt", delivery.seen_at as "seenAt",
          delivery.mail_state as "mailState", ${NOTICE_FACTS}
        from notice_delivery delivery join notice using (game_id, notice_id) join game using (game_id) left join person actor on actor.id = notice.actor_id
        where delivery.person_id = ${personId} and ${isOlder} order by notice.occurred_at desc, notice.notice_id desc limit ${limit + 1}
      ) received on true
    order by received."occurredAt" desc, received."noticeId" desc`.execute(db);
  const notices = rows.flatMap(({ settings: _, ...row }) => (row.noticeId === null ? [] : [reshapeNotice(row)]));
  return { notices: notices.slice(0, limit), hasMore: notices.length > limit, reaches: reshapeReaches(rows[0]?.settings ?? {}) };
}

/** Where a page of notices ends: older ones follow. */
export type NoticePosition = Pick<ReceivedNotice, 'occurredAt' | 'noticeId'>;

/** Finds how far each kind of notice reaches a person. */
export async function findReaches(db: Db, personId: string): Promise<Notices['reaches']> {
  const rows = await db.selectFrom('notice_setting').select(['kind', 'reach']).where('person_id', '=', personId).execute();
  return reshapeReaches(Object.fromEntries(rows.map(({ kind, reach }) => [kind, reach])));
}

// A kind about rights that was switched off when that was possible is still shown.
function reshapeReaches(settings: Record<string, string>): Notices['reaches'] {
  const reachOf = (kind: NoticeKind): Reach => {
    const reach = parseEnum(REACHES, settings[kind] ?? 'email');
    return reachesOf(kind).includes(reach) ? reach : 'product';
  };
  return Object.fromEntries(NOTICE_KINDS.map((kind) => [kind, reachOf(kind)])) as Notices['reaches'];
}

function reshapeNotice(row: ReceivedNotice): ReceivedNotice {
  parseEnum(NOTICE_KINDS, row.kind);
  return { ...row, mailState: parseEnum(MAIL_STATES, row.mailState) };
}

/** An email of the simulation. */
export type OutboxMail = NoticeFacts & { gameId: number; noticeId: number; to: string; sentAt: string };

/** Lists the newest emails that were sent, to anyone. */
export async function listOutbox(db: Db, limit: number): Promise<OutboxMail[]> {
  const { rows } = await sql<OutboxMail>`
    select notice.game_id as "gameId", notice.notice_id as "noticeId", reader.name as "to", delivery.mail_tried_at as "sentAt", ${NOTICE_FACTS}
    from notice_delivery delivery join notice using (game_id, notice_id) join game using (game_id) join person reader on reader.id = delivery.person_id
      left join person actor on actor.id = notice.actor_id
    where delivery.mail_state = 'sent' order by delivery.mail_tried_at desc, notice.notice_id desc, reader.id limit ${limit}`.execute(db);
  return rows;
}

/** Lists the complete windows that were compared with Invo and found equal, that no run covers and none but the run before may precede, newest first. */
export async function listClosable(db: Db, gameId: number): Promise<{ window: Window; recheckedAt: string }[]> {
  const { rows } = await sql<{ start: string; end: string; recheckedAt: string }>`
    select w.window_start as start, w.window_end as "end", w.rechecked_at as "recheckedAt" from current_window w
    where w.game_id = ${gameId} and w.status = 'complete' and w.newer_snapshot_id is null and w.recheck_is_equal
      and (not exists (select from payout_run run where run.game_id = ${gameId} and run.state <> 'void')
        or exists (select from payout_run run where run.game_id = ${gameId} and run.state = 'approved' and run.window_end = w.window_start)
          and not exists (select from payout_run run where run.game_id = ${gameId} and run.state <> 'void' and run.window_start = w.window_start))
    order by w.window_start desc`.execute(db);
  return rows.map(({ start, end, recheckedAt }) => ({ window: { start, end }, recheckedAt }));
}

/** An approved run whose month has other figures now than when it was paid from. */
export interface RunDrift {
  runId: number;
  runNo: number;
  windowStart: string;
  /** What tells these figures from others: the same ones pulled again are no new drift. */
  figures: string;
  change_usd: string;
}

/** Lists the approved runs of a game whose month has other figures now. */
export async function listRunDrift(db: Db, gameId: number): Promise<RunDrift[]> {
  const { rows } = await sql<RunDrift>`
    select run.run_id as "runId", run.run_no as "runNo", run.window_start as "windowStart", coalesce(encode(now.facts_digest, 'hex'), now.snapshot_id::text) as figures,
      (now.net_attributed_usd - paid.net_attributed_usd)::text as change_usd
    from ${driftedRuns(gameId)}
    order by run.run_no`.execute(db);
  return rows;
}
