import { createHash } from 'node:crypto';
import type { Identity, Recipient } from '../model.ts';

const FIRST = [
  'Aspen',
  'Bramble',
  'Cinder',
  'Dusk',
  'Ember',
  'Fable',
  'Gale',
  'Harbor',
  'Isle',
  'Jasper',
  'Kestrel',
  'Lumen',
  'Marrow',
  'Nettle',
  'Onyx',
  'Pike',
  'Quill',
  'Rowan',
  'Sable',
  'Thistle',
  'Umber',
  'Vesper',
  'Wren',
  'Yarrow',
  'Zephyr',
];
const LAST = [
  'Fox',
  'Guild',
  'Hollow',
  'Raiders',
  'Tide',
  'Bloom',
  'Forge',
  'Haven',
  'Moth',
  'Pact',
  'Spire',
  'Watch',
  'Vale',
  'Circle',
  'Crew',
  'Drift',
  'Echo',
];

/** Aurora Vale, the recipient with 506 renewals in one millisecond each October. */
export const AURORA_ID = 500_001;
const CREATORS_FROM = 500_002;
const FESTIVAL_FROM = 800_001;

/** The recipients of most subscriptions; the first have the most followers. */
export function creatorId(index: number): number {
  return CREATORS_FROM + index;
}

/** The recipients of festival passes only. */
export function festivalCreatorId(index: number): number {
  return FESTIVAL_FROM + index;
}

/** The recipient of a generated id. */
export function castMember(playerId: number): Recipient {
  if (playerId === AURORA_ID) return { playerId, identity: identityOf('Aurora Vale', 'aurora.vale@creators.example', playerId) };
  const number = playerId >= FESTIVAL_FROM ? playerId - FESTIVAL_FROM + 131 : playerId - CREATORS_FROM;
  const first = FIRST[number % FIRST.length] ?? 'Aspen';
  const last = LAST[(number + Math.floor(number / FIRST.length)) % LAST.length] ?? 'Fox';
  return { playerId, identity: identityOf(`${first} ${last}`, `${first}.${last}.${playerId}@creators.example`.toLowerCase(), playerId) };
}

/** The player who pays for the `number`th subscription started in a month. */
export function payer(kind: string, digits: number, number: number, playerId: number): Identity & { playerId: number } {
  const first = FIRST[(playerId * 7 + number) % FIRST.length] ?? 'Aspen';
  return { playerId, ...identityOf(`${first} ${number}`, `${kind}-${digits}-${number}@players.example`, playerId) };
}

function identityOf(name: string, email: string, playerId: number): Identity {
  return { name, email, identityId: `idn_${createHash('sha256').update(`identity ${playerId}`).digest('hex').slice(0, 20)}` };
}
