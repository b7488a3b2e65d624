import type { StandingRefusal } from './rules/approval.ts';

/** Why someone who has the right to approve can't approve this. */
export const STANDING_TEXT: Record<StandingRefusal, string> = {
  too_new: 'Your account, your role or your password is less than 24 hours old. Until then, someone else must approve.',
  linked: 'One of you created the other’s password link, so you don’t count as two people. Someone else must approve.',
};
