import { showControls } from '#app/_ui/figures/format.ts';
import { maskEmail } from '#lib/core/mask-email.ts';
import { formatUsd } from '#lib/core/money.ts';
import { capitalise } from '#lib/core/strings.ts';
import type { SavedCard } from '#lib/invo/routes/support-reads.ts';
import { formatPlayerName } from '#lib/players/text.ts';
import { maskCardNumbers } from '#lib/subscriptions/rules/changes.ts';

/** The name of a player, or the id when Invo gave no name. */
export function formatPlayer(name: string | null, playerId: number): string {
  return showControls(formatPlayerName(name, playerId));
}

/** An email, masked for roles that may not see it. */
export function formatEmail(email: string, canSeeEmails: boolean): string {
  return canSeeEmails ? showControls(email) : maskEmail(email);
}

/** A price in a sentence: `$60.00`. */
export function formatPrice(amount: string | null): string {
  return amount === null ? 'not reported' : formatUsd(amount);
}

type NamedCard = Pick<SavedCard, 'brand' | 'last_four'>;
type CardExpiry = Pick<SavedCard, 'exp_month' | 'exp_year'>;

/** A saved card: `Visa •••• 0005`. The brand is Invo's free text, so a card number in it is masked except for its last four digits. */
export function formatCard({ brand, last_four }: NamedCard): string {
  return `${formatBrand(brand)} •••• ${last_four ?? '????'}`;
}

/** A saved card with its expiry: `Visa •••• 0005, expires 11/2035`. */
export function formatCardWithExpiry({ exp_month, exp_year, ...card }: NamedCard & CardExpiry): string {
  const expiry = formatExpiry({ exp_month, exp_year });
  return `${formatCard(card)}, ${expiry === null ? 'expiry not reported' : `expires ${expiry}`}`;
}

/** The expiry of a card: `11/2035`; null when Invo doesn't report it. */
export function formatExpiry({ exp_month, exp_year }: CardExpiry): string | null {
  return exp_month === null || exp_year === null ? null : `${String(exp_month).padStart(2, '0')}/${exp_year}`;
}

/** The name of a game, marked when it is a sandbox. */
export function formatGameName({ name, environment }: { name: string; environment: string }): string {
  return environment === 'sandbox' ? `${name}, sandbox` : name;
}

function formatBrand(brand: string | null): string {
  return brand === null || brand.trim() === '' ? 'Card' : showControls(capitalise(maskCardNumbers(brand)));
}
