import type { ActionFacts } from './rules/action-facts.ts';
import type { ActionKind } from './rules/kinds.ts';
import { protocolOf } from './rules/protocols.ts';
import { formatActionAmount, KIND_TEXT } from './text.ts';

/** What names one action among others. */
interface Named {
  kind: ActionKind;
  amount: string | null;
  request: ActionFacts['request'];
  /** What the coins are called; null: not reported. */
  coins: string | null;
}

/** What an action is about, without its kind: “25.00 Lumens”, “3 × Sail dye for 37.50 Lumens”, “boss_1”; null: its kind says all. */
export function formatRequested({ kind, amount, request, coins }: Named): string | null {
  const { unit } = protocolOf(kind);
  const figure = amount === null || unit === null ? null : formatActionAmount(unit, amount, coins);
  const name = nameIn(request);
  return name === null || figure === null ? (name ?? figure) : `${name} for ${figure}`;
}

/** What an action is called: “Send of 25.00 Lumens to Asa Venn”. `player`: left out where they are named beside it. */
export function formatActionTitle(action: Named, player: string | null = null): string {
  const { kind } = action;
  const requested = formatRequested(action);
  const what = requested === null ? '' : kind === 'milestone' || kind === 'client_event' ? ` ${requested}` : ` of ${requested}`;
  const whom = player === null ? '' : ` ${kind === 'send_start' || kind === 'item_sale' ? 'to' : 'for'} ${player}`;
  return `${KIND_TEXT[kind].label}${what}${whom}`;
}

function nameIn(request: ActionFacts['request']): string | null {
  const text = (name: string): string | null => (typeof request[name] === 'string' ? request[name] : null);
  if (text('item_name') !== null) return `${String(request['item_quantity'])} × ${text('item_name')}`;
  if (text('event_type') !== null) return text('name');
  if (typeof request['start_id'] === 'number') return null;
  if (text('setup_intent_id') !== null) return `set-up ${text('setup_intent_id')}`;
  if (text('transaction_id') !== null) return `transfer ${text('transaction_id')}`;
  return text('reward_ref') === null ? null : `reward ${text('reward_ref')}`;
}

/** What the coins that an action moves are called; null: Invo doesn't report it. */
export function coinsOf({ sender, wallet }: Pick<ActionFacts, 'sender' | 'wallet'>): string | null {
  return (sender ?? wallet)?.balances[0]?.currency_name ?? null;
}
