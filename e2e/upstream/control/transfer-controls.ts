import { openGrants, usePhone } from '../approvals/grants.ts';
import { decide, newestShare } from '../players/phone-share.ts';
import { openTitle, type Title } from '../route.ts';
import type { Guardian, Transfer } from '../state/desk.ts';
import { collectTransfer, openTransfer, returnTransfer, store } from '../transfers/ledger.ts';
import { findTransfer } from '../transfers/transfer-data.ts';
import { Refusal } from '../wire/answer.ts';
import { canonicalPhone } from '../world/phones.ts';
import { type DeskControl, oneOf, saved } from './desk-controls.ts';

const GUARDIAN = { approve: 'approved', reject: 'rejected', expire: 'expired' } as const satisfies Record<string, Guardian['state']>;

const WINDOW_MS = 10 * 60_000;

/** What the people around a transfer do: its guardian, and the owner of a number. */
export const TRANSFER_CONTROLS: Record<string, DeskControl> = {
  'POST guardian': saved((state, environment, { transaction_id: id, outcome }) => {
    const title = openTitle(state, environment);
    const transfer = transferOf(title, id);
    if (transfer.guardian?.state !== 'pending') throw new Refusal(409, 'NOT_PENDING', 'No guardian has to agree.');
    const decided = { ...transfer, guardian: { ...transfer.guardian, state: GUARDIAN[oneOf(outcome, ['approve', 'reject', 'expire'])] } };
    const agreed = { ...decided, approveUntilMs: decided.approveUntilMs ?? title.view.nowMs + WINDOW_MS };
    if (outcome !== 'approve') returnTransfer(title, decided, 'failed');
    else if (agreed.isReserved) store(title, agreed);
    else openTransfer(title, agreed);
    return { transaction_id: transfer.transactionId, state: decided.guardian.state };
  }),
  'POST phone': saved((state, environment, { transaction_id: id, outcome }) => {
    const title = openTitle(state, environment);
    const grant = openGrants(title).findLast(({ transactionId }) => transactionId === id);
    if (grant === undefined) throw new Refusal(409, 'NOT_PENDING', 'No phone has to approve this transaction.');
    const { state: decided, enrolment } = usePhone(title, grant, oneOf(outcome, ['approve', 'deny', 'enrol']));
    return { transaction_id: id, state: decided, enrolment: enrolment?.state ?? null };
  }),
  'POST collect': saved((state, environment, { transaction_id: id }) => {
    const title = openTitle(state, environment);
    const transfer = transferOf(title, id);
    if (transfer.transactionStatus !== 'pending_claim') throw new Refusal(409, 'NOT_PENDING', 'Nothing waits to be collected.');
    const { transactionStatus } = collectTransfer(title, transfer, 'hosted_page');
    return { transaction_id: transfer.transactionId, transaction_status: transactionStatus };
  }),
  'POST owner': saved((state, environment, { phone: given, player_email: email, outcome }) => {
    const title = openTitle(state, environment);
    const phone = canonicalPhone(given) ?? '';
    const share = newestShare(title, phone, String(email).toLowerCase());
    if (share?.state !== 'pending') throw new Refusal(409, 'NOT_PENDING', 'The owner of the number has nothing to answer.');
    const { approvalId, state: decided } = decide(title, share, oneOf(outcome, ['yes', 'no']) === 'yes' ? 'approved' : 'rejected');
    return { approval_id: approvalId, state: decided };
  }),
};

function transferOf(title: Title, id: unknown): Transfer {
  const transfer = findTransfer(title, String(id));
  if (transfer === null) throw new Refusal(404, 'TRANSACTION_NOT_FOUND', 'No such transaction in this game.');
  return transfer;
}
