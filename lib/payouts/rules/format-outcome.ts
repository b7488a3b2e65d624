import { compareMoney, floorCents, formatUsd, normalizeMoney, signOfMoney, subtractMoney } from '#lib/core/money.ts';
import type { RunLine } from './decide-line.ts';

/** What the sentence of an outcome is made from. Amounts in USD. */
export interface OutcomeFacts
  extends Pick<RunLine, 'recipientId' | 'outcome' | 'due_usd' | 'held_usd' | 'minimum_usd' | 'payable_usd' | 'closing_usd'> {
  /** What all accounts of the person come to; left out: not read. */
  together_usd?: string;
}

/** Why a line pays what it pays, for a person of the studio and for the recipient alike. Why something is on hold is not for the recipient. */
export function formatOutcome(line: OutcomeFacts): string {
  const { recipientId, outcome, due_usd, held_usd, closing_usd } = line;
  const carried = `${usd(closing_usd)} is carried forward`;
  switch (outcome) {
    case 'payable':
      if (signOfMoney(held_usd) > 0) return `${usd(held_usd)} is on hold. ${carried}.`;
      return signOfMoney(closing_usd) === 0
        ? 'Everything due is payable.'
        : `A fraction of a cent, ${usd(closing_usd)}, is carried forward.`;
    case 'negative_balance':
      return `The balance is ${usd(due_usd)}: deductions exceed earnings. It is deducted from future earnings.`;
    case 'nothing_due':
      return 'Earnings and deductions cancel out. Nothing is due.';
    case 'unresolved':
      return `Invo can’t identify player ${recipientId}. ${carried} until it can.`;
    case 'excluded':
      return `Left out of this run. ${carried}.`;
    case 'on_hold':
      return `On hold. ${carried} until the hold ends.`;
    case 'no_details':
      return `No payment details are in force. ${carried} until there are.`;
    case 'below_minimum':
      return formatBelowMinimum(line);
  }
}

function formatBelowMinimum({ due_usd, held_usd, minimum_usd, together_usd, closing_usd }: OutcomeFacts): string {
  const free = subtractMoney(due_usd, held_usd);
  const cents = floorCents(free);
  const carried = `${usd(closing_usd)} is carried forward and added to the next month.`;
  if (signOfMoney(cents) === 0) return `${usd(free)} is less than a cent. ${carried}`;
  if (together_usd !== undefined && compareMoney(together_usd, cents) > 0)
    return `All accounts of this person together come to ${usd(together_usd)}, below the minimum of ${usd(minimum_usd)}. ${carried}`;
  const held = signOfMoney(held_usd) > 0 ? `${usd(held_usd)} is on hold. ` : '';
  return `${held}${usd(free)} is below the minimum of ${usd(minimum_usd)}. ${carried}`;
}

/** A sum without zeros beyond the cents. */
function usd(amount: string): string {
  return formatUsd(normalizeMoney(amount));
}
