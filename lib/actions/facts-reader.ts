import type { Actor } from '../core/roles.ts';
import type { Deadline } from '../games/game-context.ts';
import type { PlayerBalances } from '../invo/routes/support-reads.ts';
import type { ActionFacts } from './rules/action-facts.ts';

/** Who reads, and how long they wait. What is read as a player needs a person: it is recorded whose token they had. */
export interface FactsReader extends Deadline {
  actor?: Actor;
  /** It is about to be sent, so a token is minted where the player acts. */
  isPress?: boolean;
  /** Opens phones and device codes; left out: none is needed. */
  sealKey?: Uint8Array;
}

/** A wallet as it is stored. */
export function walletReadingOf({ player, balances }: PlayerBalances): NonNullable<ActionFacts['wallet']> {
  return {
    kind: 'wallet',
    player_id: player.player_id,
    balances: balances.map(({ currency_id, currency_name, available_balance, reserved_balance, total_balance }) => ({
      currency_id: currency_id === null ? null : String(currency_id),
      currency_name,
      available_balance,
      reserved_balance,
      total_balance,
    })),
  };
}
