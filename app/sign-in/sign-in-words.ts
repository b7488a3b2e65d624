import type { ActionState } from '../_server/action-state.ts';

/** One answer for an unknown address, a wrong password and a person who was disabled. */
export const NOT_SIGNED_IN: ActionState = {
  kind: 'refused',
  sentence: 'These do not open Sharebook. Check the e-mail and the password; an admin can hand you a new password link.',
};

export const TOO_MANY_ATTEMPTS: ActionState = {
  kind: 'refused',
  sentence: 'Too many attempts in a quarter of an hour. Wait a few minutes and try again.',
};
