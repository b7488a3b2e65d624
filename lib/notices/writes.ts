import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { claimNext } from '#db/kit/lease.ts';
import { type Db, findDatabaseNow } from '#db/kit/open.ts';
import { wakeWorker } from '#db/kit/wake.ts';
import { type Role, rolesWith } from '#lib/core/roles.ts';
import { NOTICE_FACTS } from './reads.ts';
import {
  isAboutRights,
  type LimitNoticeKind,
  MAIL_HOURS,
  type MailOutcome,
  type MonthNoticeKind,
  NOTICE_KINDS,
  type NoticeFacts,
  type PersonNoticeKind,
  type Reaches,
  retryAfter_seconds,
} from './rules/notice-kinds.ts';

export interface NewNotice {
  gameId: number;
  kind: MonthNoticeKind;
  /** What tells this fact from others of its kind: the same fact again is stored once. */
  subject: string;
  windowStart: string;
  /** The run it is about; its editors can't approve it and get no request to. */
  run?: { runId: number; runNo: number; amount_usd: string; recipientCount: number | null };
  /** Who did it, and gets no notice of it; null: Sharebook. */
  actorId: string | null;
}

/** Stores a notice and who gets it, in the transaction of its fact: the people who may prepare payouts or, of a submitted run, may approve it. */
export async function insertNotice(tx: Db, notice: NewNotice): Promise<void> {
  const { gameId, kind, subject, windowStart, run, actorId } = notice;
  const { rows } = await sql<{ notice_id: number }>`
    insert into notice (game_id, kind, subject, window_start, run_no, amount_usd, recipient_count, actor_id) values (${gameId}, ${kind}, ${subject}, ${windowStart}, ${run?.runNo ?? null}, ${run?.amount_usd ?? null}, ${run?.recipientCount ?? null}, ${actorId})
    on conflict (game_id, kind, subject) do nothing returning notice_id`.execute(tx);
  const isOfRun = kind === 'run_submitted';
  const isReader = sql`person.disabled_at is null and person.roles && ${rolesWith(isOfRun ? 'payouts.approve' : 'payouts.prepare')}::text[]
    and person.id is distinct from ${actorId}::text and setting.reach is distinct from 'off'
    and (not ${isOfRun}::boolean
      or not exists (select from payout_editor e where e.game_id = ${gameId} and e.run_id = ${run?.runId ?? null}::bigint and e.person_id = person.id))`;
  for (const { notice_id: noticeId } of rows)
    await deliver(tx, { gameId, noticeId, kind }, { isReader, isEmailed: sql`coalesce(setting.reach, 'email') <> 'product'` });
}

/** Stores for whom a notice is, and whether it waits to be emailed to them: conditions on `person` and `setting`. */
async function deliver(
  tx: Db,
  { gameId, noticeId, kind }: { gameId: number; noticeId: number; kind: string },
  { isReader, isEmailed }: Record<'isReader' | 'isEmailed', RawBuilder<unknown>>,
): Promise<void> {
  const now = await findDatabaseNow(tx);
  await sql`insert into notice_delivery (game_id, notice_id, person_id, mail_state, mail_next_at)
    select ${gameId}::int, ${noticeId}::bigint, person.id, case when ${isEmailed} then 'waiting' else 'off' end, case when ${isEmailed} then ${now}::timestamptz end
    from person left join notice_setting setting on setting.person_id = person.id and setting.kind = ${kind}
    where ${isReader}`.execute(tx);
  await wakeWorker(tx, { queue: 'notices', gameId });
}

const RIGHTS_READERS = [...new Set([...rolesWith('payouts.prepare'), ...rolesWith('people.manage')])];

/** A change of the rights of a person, or of a limit of a game. */
export interface RightsNotice {
  /** null: the rights of people belong to no game; their notices are stored with the first one. */
  gameId: number | null;
  kind: PersonNoticeKind | LimitNoticeKind;
  /** Name of the person, or of the limit. */
  about: string;
  /** Id of the person it is about, who gets it whatever their role is now; left out: of an invitation or a limit. */
  personId?: string;
  roles?: readonly Role[];
  amount_usd?: string;
  /** Who did it, and gets no notice of it; null: the operator. */
  actorId: string | null;
}

/**
 * Stores a notice about rights for everyone with the role finance or admin and the person it is about, in the transaction of its fact; nothing before there
 * is a game. Nobody can switch it off: a person who lost a role or was disabled learns who did it.
 */
export async function insertRightsNotice(
  tx: Db,
  { gameId, kind, about, personId, roles, amount_usd, actorId }: RightsNotice,
): Promise<void> {
  const ofGame = gameId ?? (await findFirstGame(tx));
  if (ofGame === null) return;
  const { rows } = await sql<{ notice_id: number }>`insert into notice (game_id, kind, subject, about, roles, amount_usd, actor_id)
    values (${ofGame}, ${kind}, ${randomUUID()}, ${about}, ${roles ?? null}::text[], ${amount_usd ?? null}::usd, ${actorId}::text)
    returning notice_id`.execute(tx);
  const isReader = sql`(person.disabled_at is null and person.roles && ${RIGHTS_READERS}::text[] or person.id = ${personId ?? null}::text)
    and person.id is distinct from ${actorId}::text`;
  for (const { notice_id: noticeId } of rows)
    await deliver(tx, { gameId: ofGame, noticeId, kind }, { isReader, isEmailed: sql`coalesce(setting.reach, 'email') = 'email'` });
}

async function findFirstGame(db: Db): Promise<number | null> {
  const { rows } = await sql<{ id: number | null }>`select min(game_id) as id from game`.execute(db);
  return rows[0]?.id ?? null;
}

/** An email that this process sends now. */
export type ClaimedMail = NoticeFacts &
  Record<'gameId' | 'noticeId' | 'attemptCount', number> &
  Record<'personId' | 'email' | 'triedAt', string>;

/**
 * Claims the email of a game that has been due longest; null: none is due. It is marked before anything is sent, and no other process takes it over: an
 * email whose process fell silent may have been sent.
 */
export async function claimMail(db: Db, gameId: number): Promise<ClaimedMail | null> {
  const claim = claimNext('notice_delivery', {
    gameId,
    key: ['notice_id', 'person_id'],
    where: sql<boolean>`waiting.mail_state = 'waiting' and waiting.mail_next_at <= clock_now()`,
    order: sql`waiting.mail_next_at`,
    set: { mail_state: 'sending', mail_next_at: null, mail_attempt_count: sql`mail_attempt_count + 1`, mail_tried_at: sql`clock_now()` },
  });
  const { rows } = await sql<ClaimedMail>`
    with claimed as (${claim})
    select claimed.game_id as "gameId", claimed.notice_id as "noticeId", claimed.person_id as "personId", claimed.mail_attempt_count as "attemptCount",
      claimed.mail_tried_at as "triedAt", reader.email, ${NOTICE_FACTS}
    from claimed join notice on notice.game_id = ${gameId} and notice.notice_id = claimed.notice_id
      join game on game.game_id = claimed.game_id join person reader on reader.id = claimed.person_id
      left join person actor on actor.id = notice.actor_id`.execute(db);
  return rows[0] ?? null;
}

/** Stores what came of the attempt that claimed an email. */
export async function settleMail(db: Db, mail: ClaimedMail, outcome: MailOutcome): Promise<void> {
  const { gameId, noticeId, personId, attemptCount, triedAt } = mail;
  const isLater = outcome.state === 'later';
  const dueAt = sql<string>`${triedAt}::timestamptz + make_interval(secs => ${retryAfter_seconds(attemptCount)})`;
  await db
    .updateTable('notice_delivery')
    .set({
      mail_state: isLater ? 'waiting' : outcome.state,
      mail_next_at: isLater ? dueAt : null,
      mail_error: outcome.state === 'sent' ? null : outcome.error,
    })
    .where('game_id', '=', gameId)
    .where('notice_id', '=', noticeId)
    .where('person_id', '=', personId)
    .where('mail_state', '=', 'sending')
    .where('mail_attempt_count', '=', attemptCount)
    .execute();
  if (isLater) await wakeWorker(db, { queue: 'notices', gameId, id: noticeId, dueAt });
}

/** Ends what nobody may send any more: emails older than a day, emails no longer wanted (of rights, a reader who was disabled or lost their role still gets them), and those whose process fell silent while it sent them. */
export async function endOldMail(db: Db, gameId: number): Promise<void> {
  const { rows } = await sql<{ oldest: string }>`select clock_now() - make_interval(hours => ${MAIL_HOURS}) as oldest`.execute(db);
  const isOld = sql`notice.occurred_at < ${rows[0]?.oldest ?? null}::timestamptz`;
  await sql`
    update notice_delivery delivery set mail_next_at = null, mail_state = case
      when delivery.mail_state = 'sending' then 'unknown'
      when ${isOld} then 'expired' else 'off' end
    from notice, person reader
    where delivery.game_id = ${gameId} and notice.game_id = ${gameId} and notice.notice_id = delivery.notice_id and reader.id = delivery.person_id
      and (delivery.mail_state = 'sending' and delivery.mail_tried_at < clock_now() - interval '10 minutes'
        or delivery.mail_state = 'waiting' and (${isOld}
          or notice.kind <> all(${NOTICE_KINDS.filter(isAboutRights)}::text[])
            and (reader.disabled_at is not null or not reader.roles && ${rolesWith('payouts.prepare')}::text[])
          or exists (select from notice_setting s where s.person_id = reader.id and s.kind = notice.kind and s.reach <> 'email')))`.execute(
    db,
  );
}

/** Wakes the worker for emails of a game that are due and that nobody was woken for. */
export async function wakeMail(db: Db, gameId: number): Promise<void> {
  const { rows } = await sql`select from notice_delivery
    where game_id = ${gameId} and mail_state = 'waiting' and mail_next_at <= clock_now() limit 1`.execute(db);
  if (rows.length > 0) await wakeWorker(db, { queue: 'notices', gameId });
}

/** Marks one notice of a person as read, or all that a page showed: those up to the newest on it. */
export async function markSeen(db: Db, personId: string, seen: { gameId: number; noticeId: number } | { until: string }): Promise<void> {
  const update = db
    .updateTable('notice_delivery')
    .set({ seen_at: sql<string>`clock_now()` })
    .where('person_id', '=', personId)
    .where('seen_at', 'is', null);
  if ('noticeId' in seen) {
    await update.where('game_id', '=', seen.gameId).where('notice_id', '=', seen.noticeId).execute();
    return;
  }
  await update
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('notice')
          .whereRef('notice.game_id', '=', 'notice_delivery.game_id')
          .whereRef('notice.notice_id', '=', 'notice_delivery.notice_id')
          .where('notice.occurred_at', '<=', seen.until)
          .select('notice.notice_id'),
      ),
    )
    .execute();
}

/** Stores how far kinds of notices reach a person. */
export async function storeReaches(db: Db, personId: string, reaches: Reaches): Promise<void> {
  const rows = Object.entries(reaches).map(([kind, reach]) => ({ person_id: personId, kind, reach }));
  if (rows.length === 0) return;
  await db
    .insertInto('notice_setting')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['person_id', 'kind']).doUpdateSet(({ ref }) => ({ reach: ref('excluded.reach') })))
    .execute();
}
