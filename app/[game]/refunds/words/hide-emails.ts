import { maskEmail } from '../../../../lib/domain/roles.ts';

/** A text that somebody wrote, for those who may see no e-mails: each address in it masked. */
export function hideEmails(text: string): string {
  return text.replace(/[^\s<>()"“”,;:]+@[^\s<>()"“”,;:]+/gu, maskEmail);
}
