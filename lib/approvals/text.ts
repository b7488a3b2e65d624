import type { AccountRefusal, ApproverRefusal } from './rules/approval.ts';

/** Why a person's account doesn't count as one of two people, and what to do. */
export const ACCOUNT_TEXT: Record<AccountRefusal, string> = {
  unconfirmed:
    'Your account isn’t confirmed, so it doesn’t count where two people are needed. Ask a confirmed admin or someone with the role finance to confirm you in Settings.',
  too_new: 'Your role, password link or two-factor reset is less than 24 hours old. Until then, someone else must do this.',
};

/** Why someone who has the right can’t decide on what another person prepared. */
export const APPROVER_TEXT: Record<ApproverRefusal, string> = {
  ...ACCOUNT_TEXT,
  preparer_disabled: 'The account of the person who prepared this is disabled. Someone else must prepare it again.',
  preparer_unconfirmed:
    'The account of the person who prepared this isn’t confirmed. Confirm them in Settings first, or prepare this again.',
  preparer_too_new:
    'The role, password link or two-factor reset of the person who prepared this is less than 24 hours old. Decide after that, or have someone else prepare it.',
};
