import { type RawBuilder, sql } from 'kysely';
import { type Db, nestedInstant } from '#db/kit/open.ts';
import { parseEnum } from '#lib/core/strings.ts';
import { detailsInForce, newestNaming, paysIdentity } from '#lib/payees/reads/in-force.ts';
import { METHODS } from '#lib/payees/rules/details.ts';
import { formatAccount } from '#lib/payees/text.ts';
import { ITEM_STATES, type ItemState, isReissuable } from '../rules/item-state.ts';
import { formatPaymentReference } from '../rules/payment-reference.ts';
import { isProposed } from './waiting-items.ts';

/** A payment that a person re-issues, or proposed to, with the payment details that it would go to now. */
export interface Reissue {
  runId: number;
  runNo: number;
  /** Of the payment that failed, came back or enters no file. */
  itemNo: number;
  reference: string;
  state: ItemState;
  recipientId: number;
  /** As Invo reported them last; null: it reports no name. */
  name: string | null;
  amount_usd: string;
  isClosed: boolean;
  /** It is in no file, and the payment details it was approved with are no longer in force, or were made for another identity: no file takes it. */
  hasOtherDetails: boolean;
  /** The run that pays it again; null: none. */
  returnedInRunNo: number | null;
  /** In force for the recipient's identity; null: none are. */
  details: { detailNo: number; account: string } | null;
  /** null: nobody proposed one. */
  proposal: ReissueProposal | null;
}

interface ReissueProposal {
  itemNo: number;
  reference: string;
  proposedById: string;
  proposedBy: string;
  proposedAt: string;
  reason: string;
  confirmedBy: string | null;
}

interface ReissueRow extends Omit<Reissue, 'reference' | 'state' | 'details' | 'proposal'> {
  state: string;
  details: { detailNo: number; method: string; mask: string } | null;
  proposal: Omit<ReissueProposal, 'reference'> | null;
}

/** The payments `i` of a game with their re-issue `next` that isn't withdrawn; further conditions follow. */
const reissuesOf = (gameId: number): RawBuilder<ReissueRow> => sql`
  select run.run_id as "runId", run.run_no as "runNo", i.item_no as "itemNo", i.state, i.recipient_player_id as "recipientId", newest.player_name as name,
    i.amount_usd::text as amount_usd, run.closed_at is not null as "isClosed",
    i.state = 'waiting' and i.detail_no is not null and not ${isProposed(gameId, sql.ref('i.run_id'), 'i.item_no')}
      and (own.detail_no is distinct from i.detail_no or not ${paysIdentity('own', 'newest.identity_id')}) as "hasOtherDetails",
    (select later.run_no from payout_run later where later.game_id = ${gameId} and later.run_id = i.returned_in_run_id) as "returnedInRunNo",
    case when own.detail_no is not null and ${paysIdentity('own', 'newest.identity_id')}
      then json_build_object('detailNo', own.detail_no, 'method', own.method, 'mask', own.mask) end as details,
    case when next.item_no is not null then json_build_object('itemNo', next.item_no, 'proposedById', author.id, 'proposedBy', author.name,
      'proposedAt', ${nestedInstant('next.proposed_at')}, 'reason', next.reason, 'confirmedBy', confirmer.name) end as proposal
  from payout_item i join payout_run run on run.game_id = ${gameId} and run.run_id = i.run_id
    left join lateral ${newestNaming(gameId, 'i.recipient_player_id')} newest on true
    left join lateral ${detailsInForce(gameId, 'i.recipient_player_id')} own on true
    left join payout_item next on next.game_id = ${gameId} and next.run_id = i.run_id and next.replaces_item_no = i.item_no and next.withdrawn_at is null
    left join person author on author.id = next.proposed_by left join person confirmer on confirmer.id = next.confirmed_by
  where i.game_id = ${gameId}`;

function reshapeReissue(gameId: number, { state, details, proposal, ...facts }: ReissueRow): Reissue {
  const referenceOf = (itemNo: number): string => formatPaymentReference({ gameId, runNo: facts.runNo, itemNo });
  return {
    ...facts,
    reference: referenceOf(facts.itemNo),
    state: parseEnum(ITEM_STATES, state),
    details:
      details === null
        ? null
        : { detailNo: details.detailNo, account: formatAccount({ method: parseEnum(METHODS, details.method), mask: details.mask }) },
    proposal: proposal === null ? null : { ...proposal, reference: referenceOf(proposal.itemNo) },
  };
}

/** Finds a payment of a run by its number, with its re-issue that isn't withdrawn; null: there is none. */
export async function findReissue(db: Db, gameId: number, { runId, itemNo }: { runId: number; itemNo: number }): Promise<Reissue | null> {
  const { rows } = await sql<ReissueRow>`${reissuesOf(gameId)} and i.run_id = ${runId} and i.item_no = ${itemNo}`.execute(db);
  return rows[0] === undefined ? null : reshapeReissue(gameId, rows[0]);
}

/** Finds the payment whose re-issue the page of a payment offers or shows, the page of a proposal that of the payment it would replace; null: there is nothing to do. */
export async function findOpenReissue(
  db: Db,
  gameId: number,
  { runId, itemNo }: { runId: number; itemNo: number },
): Promise<Reissue | null> {
  const { rows } = await sql<ReissueRow>`${reissuesOf(gameId)} and i.run_id = ${runId} and i.item_no = coalesce((
    select own.replaces_item_no from payout_item own where own.game_id = ${gameId} and own.run_id = ${runId} and own.item_no = ${itemNo} and own.state = 'proposed'),
    ${itemNo})`.execute(db);
  const found = rows[0] === undefined ? null : reshapeReissue(gameId, rows[0]);
  if (found === null) return null;
  const isProposed = found.proposal !== null && found.proposal.confirmedBy === null;
  return isProposed || isReissuable(found) || found.state === 'to_balance' ? found : null;
}
