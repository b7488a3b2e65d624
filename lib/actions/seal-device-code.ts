import { seal, unseal } from '../core/sealed-bytes.ts';

/** Which grant a device code belongs to. */
interface GrantOf {
  grantId: number;
  transactionId: string;
}

function sealOf(gameId: number, { grantId, transactionId }: GrantOf): Parameters<typeof seal>[1] {
  return { purpose: 'sharebook device code', bound: [gameId, grantId, transactionId] };
}

/** Seals the device code of a grant: without the game secret it is of no use, and only web processes open it. */
export function sealDeviceCode(gameId: number, grant: GrantOf, code: string, key: Uint8Array): Buffer {
  return seal(Buffer.from(code), sealOf(gameId, grant), key);
}

/** Opens the device code of a grant; null: it has none, or it was sealed under another key. */
export function openDeviceCode(gameId: number, grant: GrantOf & { sealedCode: Buffer | null }, key: Uint8Array): string | null {
  return grant.sealedCode === null ? null : (unseal(grant.sealedCode, sealOf(gameId, grant), key)?.toString('utf8') ?? null);
}
