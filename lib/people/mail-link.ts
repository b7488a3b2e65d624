import type { MailServer } from '../notices/open-mailer.ts';
import type { MailOutcome } from '../notices/rules/notice-kinds.ts';
import { LINK_HOURS } from './set-up-link.ts';

/**
 * Emails a one-time link to the person whose password it sets; nobody else sees it. Never throws. The mail client is loaded here, where a link is sent, and by no
 * other page.
 */
export async function mailLink(
  server: MailServer,
  { to, link, origin, messageId }: { to: string; link: string; origin: string; messageId: string },
): Promise<MailOutcome> {
  const { openMailer } = await import('../notices/open-mailer.ts');
  const text = [
    'Set your password for Sharebook with this link:',
    '',
    link,
    '',
    `It works once, for ${LINK_HOURS} hours. An admin requested it at ${origin}. If you didn't expect it, tell the people with the role finance.`,
    '',
  ].join('\n');
  return await openMailer(server).send({ to, subject: 'Sharebook: set your password', text, messageId });
}
