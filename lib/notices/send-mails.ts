import { runDue } from '#db/kit/lease.ts';
import type { Db } from '#db/kit/open.ts';
import type { Mailer } from './open-mailer.ts';
import type { MailOutcome } from './rules/notice-kinds.ts';
import { formatMail } from './text.ts';
import { type ClaimedMail, claimMail, endOldMail, settleMail, wakeMail } from './writes.ts';

interface SendOptions {
  /** The public origin of Sharebook, for links. */
  origin: string;
  signal: AbortSignal;
  /** Writes each attempt to the log. */
  log?: (event: string, fields: Record<string, string | number>) => void;
}

/** Ends the emails of a game that nobody may send any more, and wakes the worker for those that are due. */
export async function sweepMails({ db, gameId }: { db: Db; gameId: number }): Promise<void> {
  await endOldMail(db, gameId);
  await wakeMail(db, gameId);
}

/**
 * Sends the emails of a game that are due, one after another, until none is due or `signal` says to stop. Each is marked before it is sent and never sent
 * again unless the server didn't accept it. `outbox`: emails are stored and shown, and sent to no server.
 */
export async function sendMails(
  { db, gameId }: { db: Db; gameId: number },
  mailer: Mailer | 'outbox',
  { origin, signal, log }: SendOptions,
): Promise<void> {
  await endOldMail(db, gameId);
  await runDue(signal, async () => {
    const mail = await claimMail(db, gameId);
    if (mail === null) return false;
    const outcome: MailOutcome = mailer === 'outbox' ? { state: 'sent' } : await send(mailer, mail, origin);
    await settleMail(db, mail, outcome);
    const failure = outcome.state === 'sent' ? {} : { message: outcome.error };
    log?.('email', { game: mail.slug, noticeId: mail.noticeId, attempt: mail.attemptCount, outcome: outcome.state, ...failure });
    return true;
  });
}

async function send(mailer: Mailer, mail: ClaimedMail, origin: string): Promise<MailOutcome> {
  const { gameId, noticeId, personId, email } = mail;
  const messageId = `<notice-${gameId}-${noticeId}-${personId}@${new URL(origin).hostname}>`;
  return await mailer.send({ to: email, messageId, ...formatMail(mail, { origin }) });
}
