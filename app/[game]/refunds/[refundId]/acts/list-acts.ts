import { may, type Role } from '#lib/core/roles.ts';
import { needsSecondApprover, type RefundLimits } from '#lib/refunds/rules/limits.ts';
import { isEnded, type RefundState } from '#lib/refunds/rules/state.ts';

/** What somebody may do with a refund where it stands now. */
export interface RefundActs {
  /** `own`: the requester confirms changed facts within the own limit. */
  approve: 'own' | 'person' | null;
  decline: 'withdraw' | 'reject' | null;
  takeOver: boolean;
  /** Say what happened, as the first of two. */
  propose: boolean;
  /** Agree with what the first said. */
  confirm: boolean;
  /** Take a statement back, or say no to one. */
  drop: 'own' | 'other' | null;
  startNew: boolean;
  /** Why something that one would look for here is not offered; null: nothing is missing. */
  why: string | null;
}

export interface Scene {
  state: RefundState;
  /** What a limit is held against. */
  amount_usd: string;
  /** It was above the limit of who asked, when it was asked for. */
  needsSecondApprover: boolean;
  attemptCount: number;
  requesterId: string;
  ownerId: string;
  /** Who said what happened and waits for a second person; null: nobody. */
  statementBy: string | null;
  /** It can no longer be done as asked: the period changed too much. */
  isImpossible: boolean;
}

/** Lists what a person may do; the operations decide again when it is done. */
export function listRefundActs(scene: Scene, person: { id: string; role: Role }, limits: RefundLimits): RefundActs {
  const [mayAsk, mayApprove] = [may(person.role, 'refunds.request'), may(person.role, 'refunds.approve')];
  const isOwn = scene.requesterId === person.id;
  const isOpen = !isEnded(scene.state);
  const isWaiting = scene.state === 'awaiting_approval';
  const isAttention = scene.state === 'attention';
  const mayApproveOwn = isOwn && mayAsk && !scene.needsSecondApprover && !needsSecondApprover(person.role, scene.amount_usd, limits);
  const mayWithdrawApproved = scene.state === 'approved' && scene.attemptCount === 0 && mayAsk;
  const approve = !isWaiting || scene.isImpossible ? null : isOwn ? (mayApproveOwn ? 'own' : null) : mayApprove ? 'person' : null;
  return {
    approve,
    decline: isWaiting ? (isOwn && mayAsk ? 'withdraw' : !isOwn && mayApprove ? 'reject' : null) : mayWithdrawApproved ? 'withdraw' : null,
    takeOver: isOpen && mayAsk && scene.ownerId !== person.id,
    propose: isAttention && mayAsk && scene.statementBy === null,
    confirm: isAttention && mayApprove && scene.statementBy !== null && scene.statementBy !== person.id,
    drop: isAttention && mayAsk && scene.statementBy !== null ? (scene.statementBy === person.id ? 'own' : 'other') : null,
    startNew: mayAsk && isEnded(scene.state) && scene.state !== 'landed',
    why: sayWhy(scene, { isOwn, mayAsk, mayApprove, isWaiting, isAttention, canApprove: approve !== null }, person.id),
  };
}

interface Standing {
  isOwn: boolean;
  mayAsk: boolean;
  mayApprove: boolean;
  isWaiting: boolean;
  isAttention: boolean;
  canApprove: boolean;
}

function sayWhy(
  scene: Scene,
  { isOwn, mayAsk, mayApprove, isWaiting, isAttention, canApprove }: Standing,
  personId: string,
): string | null {
  if (!isWaiting && !isAttention) return null;
  if (!mayAsk) return 'Your role reads refunds and changes nothing about them.';
  if (isWaiting && scene.isImpossible) return 'It can no longer be done as asked: withdraw it, and ask anew for what is left.';
  if (isWaiting && isOwn && !canApprove)
    return 'You asked for it, and it is above your limit: somebody else who may approve has to look at it.';
  if (isWaiting && !isOwn && !mayApprove) return 'Approving takes finance or an admin.';
  if (isAttention && scene.statementBy === personId)
    return 'You have said what happened. A second person who may approve refunds has to agree.';
  if (isAttention && scene.statementBy !== null && !mayApprove) return 'Agreeing takes finance or an admin.';
  return null;
}
