import * as z from 'zod';
import type { Invo } from '../invo.ts';
import { requireEmail, requirePhone } from '../request-path.ts';
import { count, flag, ifFits, list, optionalText, otherThanRequested, readerOf, textId } from '../shapes/fields.ts';

/** Whose games or phone is read: Invo compares the email and the number together (document 3, Destinations, Phone-share approval). */
export interface Contact {
  email: string;
  phone: string;
}

// Far above what one player has; it only bounds a lie.
const DESTINATIONS_MAX = 1_000;

/** A game in which the person has an account. What else Invo reports of it, their balance and when they last played, isn't read. */
const destination = z.object({
  game_id: textId,
  game_name: optionalText,
  tenant_type: optionalText,
  game_status: optionalText,
  default_currency: ifFits(z.object({ currency_id: ifFits(count), currency_name: optionalText, currency_symbol: optionalText })),
  accepts_pcstore_origin_value: flag,
});

const destinationList = z.object({
  source_game_id: ifFits(textId),
  transfer_mode: optionalText,
  destinations: list(destination, DESTINATIONS_MAX),
});

export type Destinations = z.infer<typeof destinationList>;

/**
 * Reads the games that coins can go to, for the form that starts a transfer or a send. A read by POST, of which only the value is returned: it names a
 * person's other games. An empty list is a normal result, and what a wrong number gives as well. Throws InvoError.
 */
export async function readDestinations({ ask, gameId }: Invo, contact: Contact, signal?: AbortSignal): Promise<Destinations> {
  const { value } = await ask({
    route: { kind: 'other' },
    family: 'destinations',
    path: '/api/players/destinations',
    post: Buffer.from(JSON.stringify(checkContact(contact))),
    isStored: false,
    read: readerOf(destinationList, ({ source_game_id }) =>
      gameId === null || source_game_id === null || source_game_id === gameId ? null : otherThanRequested('source_game_id'),
    ),
    signal,
  });
  return value;
}

const phoneShare = z.object({ approved: z.boolean() });

/** Reads whether the owner of a phone agreed. False: they have not answered yet, or refused; Invo doesn't say which. Throws InvoError. */
export async function readPhoneShare({ ask }: Invo, contact: Contact, signal?: AbortSignal): Promise<boolean> {
  const path = '/api/wallet/phone-share/status';
  const { email, phone } = checkContact(contact);
  const { value } = await ask({
    route: { kind: 'other' },
    family: 'phone_share',
    path,
    query: { phone, email },
    shown: `${path}?phone=•&email=•`,
    isStored: false,
    read: readerOf(phoneShare, () => null),
    signal,
  });
  return value.approved;
}

function checkContact({ email, phone }: Contact): Contact {
  return { email: requireEmail(email), phone: requirePhone(phone) };
}
