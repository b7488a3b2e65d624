import type { Metadata } from 'next';
import Link from 'next/link';
import type { ReactElement } from 'react';
import { parseInstant } from '#lib/core/instant.ts';
import { parseNumericId } from '#lib/core/typed-input.ts';
import { listNotices, listOutbox, type NoticePosition, type OutboxMail, type ReceivedNotice } from '#lib/notices/reads.ts';
import { formatMail, formatNotice, gameOf, MAIL_STATE_TEXT, MAIL_TEXT } from '#lib/notices/text.ts';
import { config, db } from '../_server/server-context.ts';
import { requirePerson } from '../_server/session.ts';
import { LinkButton } from '../_ui/controls/button.tsx';
import { Instant } from '../_ui/figures/instant.tsx';
import { ActionForm } from '../_ui/forms/form.tsx';
import { Card } from '../_ui/layout/card.tsx';
import { PageHead } from '../_ui/layout/page-head.tsx';
import { NarrowNote, type SimpleColumn, SimpleTable } from '../_ui/layout/simple-table.tsx';
import { EmptyState } from '../_ui/words/empty-state.tsx';
import { Notice } from '../_ui/words/notice.tsx';
import { markAllReadAction, markReadAction } from './actions.ts';
import { NoticeSettings } from './notice-settings.tsx';
import styles from './notices.module.css';

export const metadata: Metadata = { title: 'Notices' };

const NOTICES_MAX = 25;
const OUTBOX_MAX = 10;

/** What happened to months and runs, for the signed-in person, and how it reaches them. */
export default async function NoticesPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}): Promise<ReactElement> {
  const person = await requirePerson('notices.read');
  const { mail, origin } = config();
  const before = parsePosition(await searchParams);
  const [{ notices, hasMore, reaches }, outbox] = [
    await listNotices(db(), person.id, NOTICES_MAX, before),
    mail === 'outbox' ? await listOutbox(db(), OUTBOX_MAX) : [],
  ];
  const newest = notices[0];
  const oldest = notices.at(-1);
  const hasUnread = notices.some(({ seenAt }) => seenAt === null);
  return (
    <>
      <PageHead title="Notices">What happened to months, payout runs, people and limits, newest first.</PageHead>
      {newest === undefined ? (
        <EmptyState title="No notices yet">
          A notice appears when a month can be closed, when someone else submits or decides a payout run, or changes people or limits.
        </EmptyState>
      ) : (
        <>
          <SimpleTable
            label="Notices"
            rows={notices}
            keyOf={({ gameId, noticeId }) => `${gameId} ${noticeId}`}
            columns={COLUMNS}
            toneOf={({ seenAt }) => (seenAt === null ? 'wait' : null)}
          />
          {before !== null && <LinkButton href="/notices">Newest notices</LinkButton>}
          {hasMore && oldest !== undefined && <LinkButton href={addressBefore(oldest)}>Older notices</LinkButton>}
          {hasUnread && (
            <ActionForm action={markAllReadAction} about={{ until: newest.occurredAt }} label="Mark all as read" pendingLabel="Saving…" />
          )}
        </>
      )}
      <section className={styles.section} aria-labelledby="settings">
        <h2 id="settings">Settings</h2>
        <Notice voice={mail === null ? 'wait' : 'note'} title="Email">
          {mail === 'outbox' ? MAIL_TEXT.outbox : mail === null ? MAIL_TEXT.none : MAIL_TEXT.smtp}
        </Notice>
        <NoticeSettings reaches={reaches} />
      </section>
      {mail === 'outbox' && <Outbox mails={outbox} origin={origin} />}
    </>
  );
}

function addressBefore({ occurredAt, noticeId }: NoticePosition): string {
  return `/notices?${new URLSearchParams({ until: occurredAt, before: String(noticeId) })}`;
}

function parsePosition({ until, before }: Record<string, string | string[] | undefined>): NoticePosition | null {
  const noticeId = typeof before === 'string' ? parseNumericId(before) : null;
  return typeof until !== 'string' || parseInstant(until) === null || noticeId === null ? null : { occurredAt: until, noticeId };
}

const COLUMNS: SimpleColumn<ReceivedNotice>[] = [
  {
    label: 'Notice',
    cell: (notice) => {
      const { title, sentence, path } = formatNotice(notice);
      const game = gameOf(notice);
      return (
        <>
          <span className={styles.head}>
            <Link href={path}>{title}</Link>
            <NarrowNote>
              <Instant at={notice.occurredAt} timeZone={notice.timeZone} />
            </NarrowNote>
          </span>
          <span className={styles.sentence}>
            {game !== null && `${game}. `}
            {sentence}
          </span>
          {notice.seenAt === null && (
            <NarrowNote>
              <MarkAsRead notice={notice} />
            </NarrowNote>
          )}
        </>
      );
    },
  },
  { label: 'When', isWideOnly: true, width: 190, cell: ({ occurredAt, timeZone }) => <Instant at={occurredAt} timeZone={timeZone} /> },
  { label: 'Email', isWideOnly: true, width: 170, cell: ({ mailState }) => MAIL_STATE_TEXT[mailState] || '–' },
  {
    label: 'Read',
    isScreenOnly: true,
    isWideOnly: true,
    width: 124,
    cell: (notice) => (notice.seenAt === null ? <MarkAsRead notice={notice} /> : 'Read'),
  },
];

function MarkAsRead({ notice: { gameId, noticeId } }: { notice: ReceivedNotice }): ReactElement {
  return <ActionForm action={markReadAction} about={{ gameId, noticeId }} label="Mark as read" pendingLabel="Saving…" kind="quiet" />;
}

/** The emails a mail server would have got, each opened by a press. */
function Outbox({ mails, origin }: { mails: OutboxMail[]; origin: string }): ReactElement {
  return (
    <section className={styles.section} aria-labelledby="outbox">
      <h2 id="outbox">Outbox of the simulation</h2>
      {mails.length === OUTBOX_MAX && <p className={styles.newest}>The newest {OUTBOX_MAX} emails.</p>}
      {mails.length === 0 ? (
        <p className={styles.none}>No emails yet.</p>
      ) : (
        <Card>
          {mails.map((mail) => {
            const { subject, text } = formatMail(mail, { origin, isSimulated: true });
            return (
              <section key={`${mail.gameId} ${mail.noticeId} ${mail.to}`} aria-label={`${subject}, to ${mail.to}`} className={styles.mail}>
                <details>
                  <summary>
                    {subject}
                    <span className={styles.none}>
                      To {mail.to}, <Instant at={mail.sentAt} />
                    </span>
                  </summary>
                  <p className={styles.text}>{text}</p>
                </details>
              </section>
            );
          })}
        </Card>
      )}
    </section>
  );
}
