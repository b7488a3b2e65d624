import { z } from 'zod';

export interface Identity {
  /** Lower case. */
  email: string;
  name: string;
}

export type IdentityParsed = { ok: true; identity: Identity } | { ok: false; reason: 'bad_email' | 'bad_name' };

const emailSchema = z.email().max(254);

/** Reads how a person is reached and called. A name has 1 to 80 characters and no control characters. */
export function parseIdentity({ email, name }: { email: string; name: string }): IdentityParsed {
  const address = emailSchema.safeParse(email.trim().toLowerCase());
  if (!address.success) return { ok: false, reason: 'bad_email' };
  const called = name.trim().replace(/\s+/gu, ' ');
  if (called === '' || called.length > 80 || /\p{C}/u.test(called)) return { ok: false, reason: 'bad_name' };
  return { ok: true, identity: { email: address.data, name: called } };
}
