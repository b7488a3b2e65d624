import type { LinkClosed } from '#lib/people/find-set-up-link.ts';
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '#lib/people/rules/password-length.ts';
import type { SetUpDone } from '#lib/people/use-set-up-link.ts';
import type { ActionState } from '../_server/action-state.ts';

/** Why a link opens nothing, and what to do. */
export const CLOSED_LINK_WORDS: Record<LinkClosed, { title: string; sentence: string }> = {
  unknown_link: {
    title: 'This link is not known here',
    sentence: 'Check that it was copied whole. If it was, ask an admin for a new one, or start Sharebook again for the first admin’s.',
  },
  used_link: {
    title: 'This link was used',
    sentence: 'The password was set with it. Sign in with that password; if it was not you, tell an admin at once.',
  },
  expired_link: {
    title: 'This link has expired',
    sentence: 'Links open for 24 hours. Ask an admin for a new one, or start Sharebook again for the first admin’s.',
  },
  withdrawn_link: {
    title: 'This link was replaced',
    sentence: 'A newer link was made, or the person was disabled. Use the newest link or ask an admin.',
  },
  admin_exists: {
    title: 'There is an admin already',
    sentence: 'This link was for the first admin. Sign in, or ask the admin to add you.',
  },
};

type Reason = Extract<SetUpDone, { ok: false }>['reason'];
type LineFault = Exclude<Reason, LinkClosed>;

const LINE_FAULTS: Record<LineFault, { field: string; sentence: string }> = {
  bad_email: { field: 'email', sentence: 'This is not an e-mail address.' },
  email_taken: { field: 'email', sentence: 'Somebody was added with this address. Use another one for the admin.' },
  bad_name: { field: 'name', sentence: 'A name has 1 to 80 characters.' },
  short_password: { field: 'password', sentence: `Too short: ${PASSWORD_LENGTH_MIN} characters at least.` },
  long_password: { field: 'password', sentence: `Too long: ${PASSWORD_LENGTH_MAX} characters at most.` },
};

/** What the form says of a refusal: beside the line that is wrong, else about the link. */
export function answerSetUp(reason: Reason): ActionState {
  if (isLineFault(reason)) return { kind: 'invalid', fields: { [LINE_FAULTS[reason].field]: LINE_FAULTS[reason].sentence } };
  return { kind: 'refused', sentence: `${CLOSED_LINK_WORDS[reason].title}. ${CLOSED_LINK_WORDS[reason].sentence}` };
}

function isLineFault(reason: Reason): reason is LineFault {
  return Object.hasOwn(LINE_FAULTS, reason);
}
