import { describe, expect, test } from 'vitest';
import { OCTOBER, sampleTotals } from '#e2e/support/evidence/sample-slice.ts';
import { digestFacts, digestIdentity, digestLink, digestSnapshot } from './digest.ts';
import type { ChainLink } from './rules/chain-head.ts';

describe('the digest of facts', () => {
  const [a, b] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];

  test('two snapshots of the same facts have one digest, whatever link is before them', () => {
    expect(digestFacts(OCTOBER, [a, b], sampleTotals())).toEqual(
      digestFacts(OCTOBER, [a, b], sampleTotals({ net_attributed_usd: '0.700' })),
    );
    expect(digestFacts(OCTOBER, [a, b], sampleTotals())).not.toEqual(digestFacts(OCTOBER, [b, a], sampleTotals()));
  });

  test('it is today’s rule of a first link', () => {
    expect(digestFacts(OCTOBER, [a], sampleTotals())).toEqual(digestSnapshot(null, OCTOBER, [a], sampleTotals()));
  });
});

const RESPONSE = {
  slice: 1,
  purpose: 'page',
  request: '/api/report?offset=0',
  status: 200,
  received_at: '2026-11-21T12:00:00.123Z',
  inflated_byte_count: 900,
  sha256: Buffer.alloc(32, 4),
} satisfies ChainLink['responses'][number];
const LINK: ChainLink = {
  position: 7,
  previous: Buffer.alloc(32, 1),
  created_at: '2026-11-21T12:00:01.123456Z',
  window: OCTOBER,
  covered_until: OCTOBER.end,
  generated_at: '2026-11-21T12:00:00Z',
  status: 'complete',
  facts: Buffer.alloc(32, 2),
  responses: [RESPONSE, { ...RESPONSE, slice: 0, purpose: 'control' }],
  recipients: [
    { recipient_player_id: 9001, resolved: true, digest: Buffer.alloc(32, 5) },
    { recipient_player_id: 9002, resolved: null, digest: null },
  ],
};

describe('the digest of a link of version 2', () => {
  const changedResponse = (change: Partial<typeof RESPONSE>): Partial<ChainLink> => ({
    responses: [{ ...RESPONSE, ...change }, ...LINK.responses.slice(1)],
  });
  const changedRecipient = (change: Partial<ChainLink['recipients'][number]>): Partial<ChainLink> => ({
    recipients: LINK.recipients.map((each, index) => (index === 0 ? { ...each, ...change } : each)),
  });
  test.each<[string, Partial<ChainLink>]>([
    ['its position', { position: 8 }],
    ['the link before', { previous: null }],
    ['when it was stored', { created_at: '2026-11-21T12:00:01.123457Z' }],
    ['the end of its window', { window: { ...OCTOBER, end: '2026-11-01T00:00:01Z' } }],
    ['how far it is covered', { covered_until: '2026-10-31T00:00:00Z' }],
    ['when Invo reported it', { generated_at: '2026-11-21T12:00:02Z' }],
    ['its status', { status: 'inconsistent' }],
    ['its facts', { facts: Buffer.alloc(32, 3) }],
    ['the bytes of a response', changedResponse({ sha256: Buffer.alloc(32, 9) })],
    ['the slice of a response', changedResponse({ slice: 2 })],
    ['the purpose of a response', changedResponse({ purpose: 'fill' })],
    ['the request of a response', changedResponse({ request: '/api/report?offset=100' })],
    ['the status of a response', changedResponse({ status: 206 })],
    ['when a response came', changedResponse({ received_at: '2026-11-21T12:00:00.124Z' })],
    ['the size of a response', changedResponse({ inflated_byte_count: 901 })],
    ['a missing response', { responses: LINK.responses.slice(1) }],
    ['the order of responses', { responses: LINK.responses.toReversed() }],
    ['who a recipient is', changedRecipient({ digest: Buffer.alloc(32, 6) })],
    ['a recipient without a digest', changedRecipient({ digest: null })],
    ['whether a recipient was found', changedRecipient({ resolved: false })],
    ['the id of a recipient', changedRecipient({ recipient_player_id: 9003 })],
    ['a missing recipient', { recipients: LINK.recipients.slice(1) }],
  ])('%s matters', (_, change) => {
    expect(digestLink({ ...LINK, ...change }).toString('hex')).not.toBe(digestLink(LINK).toString('hex'));
  });

  test('the order of recipients and the spelling of instants don’t matter', () => {
    const respelled = { ...LINK, recipients: LINK.recipients.toReversed(), covered_until: '2026-11-01T00:00:00.000Z' };
    expect(digestLink(respelled)).toEqual(digestLink(LINK));
  });
});

describe('the digest of an identity', () => {
  const salt = Buffer.alloc(32, 7);
  const person = { recipient_player_id: 9001, player_email: 'a@b.example', player_name: 'A', identity_id: 'idn_1' };
  test.each<[string, Buffer, Partial<typeof person>]>([
    ['the salt', Buffer.alloc(32, 8), {}],
    ['the recipient', salt, { recipient_player_id: 9002 }],
    ['the email', salt, { player_email: 'c@b.example' }],
    ['the name', salt, { player_name: 'B' }],
    ['the identity', salt, { identity_id: 'idn_2' }],
    ['which field a text is in', salt, { player_email: 'A', player_name: 'a@b.example' }],
  ])('%s matters', (_, otherSalt, change) => {
    expect(digestIdentity(otherSalt, { ...person, ...change })).not.toEqual(digestIdentity(salt, person));
  });
});

// Written down when the first link of version 2 was stored: a change of either would break every stored digest.
test('digests of stored links and identities never change', () => {
  expect(digestLink(LINK).toString('hex')).toBe('02343c0cbc81941e6854271240008f7e2c31e575a184e8708a41b26df9a63f4d');
  const person = { recipient_player_id: 9001, player_email: 'a@b.example', player_name: null, identity_id: 'idn_1' };
  expect(digestIdentity(Buffer.alloc(32, 7), person).toString('hex')).toBe(
    '3c17e0c2f81c7a5a015a6f3bcbea39129a9b7f0972e12f78a94a9a3582c1f4cf',
  );
});
