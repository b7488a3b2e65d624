import { ROLE_LABELS, type Role } from '#lib/core/roles.ts';
import type { ActionState } from '../_server/action-state.ts';

/** Every reason for which a change to people is refused, over all operations. */
export type PeopleRefusal =
  | 'not_allowed'
  | 'bad_email'
  | 'bad_name'
  | 'email_taken'
  | 'unknown_person'
  | 'same_role'
  | 'already_so'
  | 'disabled'
  | 'last_admin';

const SENTENCES: Record<PeopleRefusal, string> = {
  not_allowed: 'Only an admin may do this, and your role has changed. Nothing was done.',
  bad_email: 'This is not an e-mail address.',
  bad_name: 'A name has 1 to 80 characters.',
  email_taken: 'Somebody with this address was added before. Find them in the list.',
  unknown_person: 'There is no such person any more. Load the page again.',
  same_role: 'They have this role already.',
  already_so: 'That was done already. Load the page again.',
  disabled: 'They are disabled. Let them in again first.',
  last_admin: 'They are the last admin who can sign in. Make somebody else an admin first.',
};

/** What a form says of a refusal, beside the line that is wrong where there is one. */
export function answerRefusal(reason: PeopleRefusal): ActionState {
  if (reason === 'bad_email' || reason === 'email_taken') return { kind: 'invalid', fields: { email: SENTENCES[reason] } };
  if (reason === 'bad_name') return { kind: 'invalid', fields: { name: SENTENCES[reason] } };
  return { kind: 'refused', sentence: SENTENCES[reason] };
}

/** That a role was changed, and what else that did. */
export function sayRoleChanged(role: Role, sessionsEnded: number): string {
  const ended =
    sessionsEnded === 0 ? '' : ` They were signed out ${sessionsEnded === 1 ? 'where they were signed in' : `in ${sessionsEnded} places`}.`;
  return `Their role is ${ROLE_LABELS[role]} now.${ended}`;
}
