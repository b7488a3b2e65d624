import { describe, expect, it, test } from 'vitest';
import { afterReading, sendJson } from '#e2e/support/invo/canned-server.ts';
import { failureOf, type Talk, talkTo } from '#e2e/support/invo/talk-to.ts';
import { formatInvoError } from '../text.ts';
import { readOffers, readVault } from './loyalty-of-player.ts';
import { readDestinations, readPhoneShare } from './phone-reads.ts';
import { mintPlayerToken, withPlayerToken } from './player-token.ts';

const CONTACT = { email: 'asa.venn@players.example', phone: '+4915112345678' };
const OWNER = { email: CONTACT.email, identityId: 'idn_asa' };
const TOKEN = 'canary-token-of-a-player-5d1';
const MINTED = { token: TOKEN, expires_at: '2026-11-26T12:15:00+00:00', identity_id: 'idn_asa' };

const answering = (status: number, body: unknown): Promise<Talk> =>
  talkTo(
    afterReading((_request, response) => sendJson(response, status, body)),
    { prefix: '/sandbox' },
  );

describe('the destinations of a person', () => {
  const DESTINATION = {
    game_id: 41300,
    game_name: 'Emberfall',
    tenant_type: 'game',
    game_status: 'live',
    default_currency: { currency_id: 318, currency_name: 'Embers', currency_symbol: 'E' },
    available_balance: '12.50',
    last_active: '2026-11-20T09:00:00Z',
    accepts_pcstore_origin_value: false,
  };
  const ANSWER = { status: 'success', source_game_id: 77, source_game_name: 'Starfall', transfer_mode: 'universal' };

  it('are read by POST, and their balance and last visit are left out', async () => {
    const { invo, server, diary } = await answering(200, { ...ANSWER, destinations: [DESTINATION] });
    const { available_balance: _, last_active: __, ...used } = DESTINATION;
    expect(await readDestinations(invo, CONTACT)).toEqual({
      source_game_id: '77',
      transfer_mode: 'universal',
      destinations: [{ ...used, game_id: '41300' }],
    });
    expect(server.seen.map(({ method, url }) => `${method} ${url}`)).toEqual(['POST /sandbox/api/players/destinations']);
    expect(JSON.parse(String(server.bodies[0]))).toEqual(CONTACT);
    expect(diary.log.join()).not.toMatch(/asa|4915/);
  });
  it('may be none', async () => {
    const { invo } = await answering(200, { ...ANSWER, destinations: [] });
    expect((await readDestinations(invo, CONTACT)).destinations).toEqual([]);
  });
  it.each([
    ['destinations.0.game_id', { ...ANSWER, destinations: [{}] }],
    ['source_game_id', { ...ANSWER, source_game_id: '78', destinations: [] }],
    ['destinations', ANSWER],
  ])('that break the contract at %s are refused, and nothing of them is stored', async (path, body) => {
    const { invo } = await answering(200, body);
    expect(await failureOf(readDestinations(invo, CONTACT))).toMatchObject({ code: 'malformed', path, evidence: null });
  });
  it('are refused in Invo’s own words, without the number', async () => {
    const { invo } = await answering(403, { error: 'Outgoing transfers are disabled, ask +4915112345678' });
    const error = await failureOf(readDestinations(invo, CONTACT));
    expect(error).toMatchObject({ code: 'rejected', evidence: null });
    expect(formatInvoError(error, { isUnstored: true })).toBe('Invo refused the request: “Outgoing transfers are disabled, ask •”');
  });
  it.each(['0151 12345678', '+49 151 12345678', '+123456789', '+1234567890123456', ''])('are not read by %j', async (phone) => {
    const { invo, server } = await answering(200, {});
    await expect(readDestinations(invo, { ...CONTACT, phone })).rejects.toThrow('not a phone number');
    await expect(readPhoneShare(invo, { ...CONTACT, phone })).rejects.toThrow('not a phone number');
    expect(server.seen).toEqual([]);
  });
});

describe('the answer of the owner of a phone', () => {
  it.each([true, false])('is read with the number and the email in the query only: %s', async (approved) => {
    const { invo, server, diary } = await answering(200, { approved, phone: CONTACT.phone });
    expect(await readPhoneShare(invo, CONTACT)).toBe(approved);
    expect(server.seen[0]?.url).toBe('/sandbox/api/wallet/phone-share/status?phone=%2B4915112345678&email=asa.venn%40players.example');
    expect(JSON.parse(diary.log[0] ?? '')).toMatchObject({ request: '/sandbox/api/wallet/phone-share/status?phone=•&email=•' });
    expect(diary.log.join()).not.toMatch(/asa|4915/);
  });
  it.each([{}, { approved: 'true' }, { approved: null }])('is not guessed from %j', async (body) => {
    const { invo } = await answering(200, body);
    expect(await failureOf(readPhoneShare(invo, CONTACT))).toMatchObject({ code: 'malformed', path: 'approved', evidence: null });
  });
});

describe('a player token', () => {
  it('is minted with the game’s secret for the player of the page, and logged nowhere', async () => {
    const { invo, server, diary } = await answering(200, MINTED);
    expect(await mintPlayerToken(invo, OWNER)).toEqual({ token: TOKEN, expiresAt: '2026-11-26T12:15:00Z' });
    expect(server.seen[0]?.headers).toMatchObject({ 'x-game-secret-key': 'canary-current-1f9' });
    expect(JSON.parse(String(server.bodies[0]))).toEqual({ player_email: OWNER.email });
    expect(diary.log.join()).not.toMatch(/canary|asa/);
  });
  it.each([
    ['identity_id', { ...MINTED, identity_id: 'idn_bree' }],
    ['identity_id', { token: TOKEN }],
    ['token', { ...MINTED, token: `${TOKEN}\r\nx: y` }],
    ['token', { ...MINTED, token: 'short' }],
  ])('whose %s is another is never used: %j', async (path, body) => {
    const { invo } = await answering(200, body);
    const error = await failureOf(mintPlayerToken(invo, OWNER));
    expect(error).toMatchObject({ code: 'malformed', path, evidence: null });
    expect(JSON.stringify(error)).not.toContain('canary');
  });
  // Document 3, Player token: none of them passes by itself.
  it.each([
    [401, 'INVALID_GAME_SECRET', 'refused the game secret', 2],
    [403, 'TENANT_NOT_MIGRATED', 'isn’t set up for player tokens', 1],
    [404, 'player_not_found', 'has no player with this email', 1],
    [422, 'identity_unavailable', 'has no identity for this player', 1],
    [503, 'sdk_verification_disabled', 'isn’t enabled for this environment', 1],
  ])('is refused once: %i %s', async (status, code, sentence, calls) => {
    for (const field of ['error', 'code', 'error_code']) {
      const { invo, server } = await answering(status, { [field]: code });
      expect(formatInvoError(await failureOf(mintPlayerToken(invo, OWNER)), { isUnstored: true })).toContain(sentence);
      expect(server.seen).toHaveLength(calls);
    }
  });
});

describe('a read as the player', () => {
  const VAULT = {
    vault_entry_id: '0b7e4a52-6f3c-4d8e-9a1b-5c2d3e4f5a6b',
    reward_ref: 'gold',
    program_id: 'p1',
    quest_id: 'q1',
    units: '1',
    state: 'redeemed',
    unlocked_at: '2026-11-20T09:00:00+01:00',
    expires_at: null,
    redeemed_at: '2026-11-21T09:00:00Z',
    code_masked: 'CANARY-REWARD-7K2Q',
  };
  it('has the token and no secret, and a code where a mask should be is masked', async () => {
    const { invo, server } = await answering(200, { items: [VAULT, { state: 'unlocked' }] });
    expect(await readVault(invo, TOKEN)).toEqual([{ ...VAULT, unlocked_at: '2026-11-20T08:00:00Z', code_masked: '••••7K2Q' }, null]);
    expect(server.seen[0]?.url).toBe('/sandbox/api/sdk/loyalty/me/vault');
    expect(server.seen[0]?.headers).toMatchObject({ authorization: `Bearer ${TOKEN}` });
    expect(server.seen[0]?.headers).not.toHaveProperty('x-game-secret-key');
  });
  it('of offers has what Invo reports, and counts nothing', async () => {
    const { invo, server } = await answering(200, { items: [{ quest_id: 7, title: 'Win', campaign: true, objectives_required: 3 }] });
    expect(await readOffers(invo, TOKEN)).toEqual([
      expect.objectContaining({ quest_id: '7', title: 'Win', campaign: true, objectives_required: 3, objectives_complete: null }),
    ]);
    expect(server.seen[0]?.url).toBe('/sandbox/api/sdk/loyalty/me/offers');
  });
  it('whose answer repeats the token is refused without its bytes', async () => {
    const { invo } = await answering(200, { items: [], note: TOKEN });
    expect(await failureOf(readVault(invo, TOKEN))).toMatchObject({ code: 'malformed', evidence: null });
  });

  /** Invo refuses the first tokens with a 401, however it spells it. */
  async function withRefusals(refused: number, body: object): Promise<Talk & { read(): Promise<unknown> }> {
    let minted = 0;
    const talk = await talkTo(
      afterReading((request, response) => {
        if (request.method === 'POST') return sendJson(response, 200, { ...MINTED, token: `${TOKEN}-${++minted}` });
        const isRefused = Number(request.headers.authorization?.split('-').at(-1)) <= refused;
        return isRefused ? sendJson(response, 401, body) : sendJson(response, 200, { items: [] });
      }),
    );
    const read = (): Promise<unknown> =>
      withPlayerToken(
        () => mintPlayerToken(talk.invo, OWNER),
        (token) => readVault(talk.invo, token),
      );
    return { ...talk, read };
  }
  test.each([{}, { code: 'SDK_TOKEN_MALFORMED' }, { error: 'Unauthorized' }, { error_code: 'INVALID_GAME_SECRET' }])(
    'after one 401 has a new token, and the game’s secrets stay: %j',
    async (body) => {
      const { read, server, diary } = await withRefusals(1, body);
      expect(await read()).toEqual([]);
      expect(server.seen.map(({ method }) => method)).toEqual(['POST', 'GET', 'POST', 'GET']);
      expect([diary.secret, diary.previousUsed]).toEqual(['current', 0]);
      expect(diary.log.join()).not.toContain('canary');
    },
  );
  test('after two 401 says that the token was refused, and not the secret', async () => {
    const { read, server } = await withRefusals(2, { error_code: 'INVALID_GAME_SECRET' });
    expect(formatInvoError(await failureOf(read()), { isUnstored: true })).toContain('Invo refused the player token.');
    expect(server.seen).toHaveLength(4);
  });
  test('that fails otherwise has no second token', async () => {
    const { invo, server } = await answering(409, {});
    await failureOf(
      withPlayerToken(
        async () => ({ token: TOKEN, expiresAt: null }),
        (token) => readVault(invo, token),
      ),
    );
    expect(server.seen).toHaveLength(1);
  });
});
