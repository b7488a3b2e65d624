import { type ApproverAccounts, accountRefusalOf, approverRefusalOf } from '#lib/approvals/rules/approval.ts';
import { ACCOUNT_TEXT, APPROVER_TEXT } from '#lib/approvals/text.ts';
import { may, type Role } from '#lib/core/roles.ts';
import type { Refund } from '#lib/refunds/rules/refund.ts';
import { isEnded } from '#lib/refunds/rules/state.ts';

/** What a person may do with a refund in its current state. */
export interface AllowedActions {
  /** `own`: the requester confirms changed facts within their own limit. */
  approve: 'own' | 'person' | null;
  decline: 'withdraw' | 'reject' | null;
  assign: boolean;
  /** Record the outcome, as the first of two people. */
  propose: boolean;
  /** Confirm the outcome the first person recorded. */
  confirm: boolean;
  /** Discard one's own recorded outcome, or reject another person's. */
  drop: 'own' | 'other' | null;
  startNew: boolean;
  /** Why an action one would expect here is not offered; null: nothing is missing. */
  why: string | null;
}

export interface ActionFacts extends Pick<Refund, 'state' | 'needsSecondApprover' | 'attemptCount'> {
  /** It exceeds the limits of the person who looks at it, as they are now. */
  exceedsLimit: boolean;
  requesterId: string;
  assigneeId: string;
  /** Who recorded the outcome that waits for a second person; null: nobody. */
  recordedBy: string | null;
  /** It is no longer possible as requested: the period changed too much. */
  isImpossible: boolean;
  /** The accounts of the person, and of the requester or who recorded the outcome. */
  accounts: ApproverAccounts;
}

/** Lists what a person may do; the operations decide again when it is done. */
export function listAllowedActions(situation: ActionFacts, person: { id: string; roles: readonly Role[] }): AllowedActions {
  const { state, recordedBy, isImpossible } = situation;
  const [mayRequest, hasRight] = [may(person.roles, 'refunds.request'), may(person.roles, 'refunds.approve')];
  const own = accountRefusalOf(situation.accounts.own);
  const refusal = approverRefusalOf(situation.accounts);
  const mayApprove = hasRight && refusal === null;
  const isOwn = situation.requesterId === person.id;
  const isWaiting = state === 'awaiting_approval';
  const isAttention = state === 'attention';
  const mayApproveOwn = mayRequest && !situation.needsSecondApprover && !situation.exceedsLimit;
  const mayWithdrawApproved = state === 'approved' && situation.attemptCount === 0 && mayRequest;
  const approve = !isWaiting || isImpossible ? null : isOwn ? (mayApproveOwn ? 'own' : null) : mayApprove ? 'person' : null;
  const whyNot = (): string | null => {
    if (!isWaiting && !isAttention) return null;
    if (!mayRequest) return 'Your role can view refunds but not change them.';
    if (isWaiting && isImpossible)
      return 'This refund is no longer possible as requested. Withdraw it and request a new one for what remains.';
    if (isWaiting && isOwn && approve === null)
      return 'You requested this refund and it exceeds your auto-approval limit. It needs a second approver.';
    if (isWaiting && !isOwn && !hasRight) return 'Only finance can approve this refund.';
    if (isWaiting && !isOwn && refusal !== null) return APPROVER_TEXT[refusal];
    if (isAttention && recordedBy === person.id) return 'You recorded the outcome. A second approver must confirm it.';
    if (isAttention && recordedBy === null) return own === null ? null : ACCOUNT_TEXT[own];
    if (!isAttention) return null;
    if (!hasRight) return 'Only finance can confirm the outcome.';
    return refusal === null ? null : APPROVER_TEXT[refusal];
  };
  return {
    approve,
    decline: isWaiting
      ? isOwn && mayRequest
        ? 'withdraw'
        : !isOwn && hasRight && own === null
          ? 'reject'
          : null
      : mayWithdrawApproved
        ? 'withdraw'
        : null,
    assign: !isEnded(state) && mayRequest && situation.assigneeId !== person.id,
    propose: isAttention && mayRequest && own === null && recordedBy === null,
    confirm: isAttention && mayApprove && recordedBy !== null && recordedBy !== person.id,
    drop: isAttention && mayRequest && recordedBy !== null ? (recordedBy === person.id ? 'own' : own === null ? 'other' : null) : null,
    startNew: mayRequest && isEnded(state) && state !== 'landed',
    why: whyNot(),
  };
}
