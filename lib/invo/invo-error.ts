import type { InvoErrorCode } from './rules/error-codes.ts';
import type { RouteFamily } from './rules/route-codes.ts';

/**
 * What Invo answered, stored permanently. `request` is path and query, never the secret; `received` the bytes as received (still
 * gzipped when `contentEncoding` says so); `sha256` the hex digest of the inflated bytes; `receivedAt` a UTC instant.
 */
export interface Evidence {
  request: string;
  status: number;
  receivedAt: string;
  contentEncoding: 'identity' | 'gzip';
  received: Buffer;
  sha256: string;
  inflatedBytes: number;
}

const retryableCodes: ReadonlySet<InvoErrorCode> = new Set(['unreachable', 'timeout', 'rate_limited', 'upstream_fault']);

/**
 * An error of Invo or of the transport. Never holds the secret. `errorCode` is Invo's own code, `path` the first field that broke
 * the contract, `facts` the numbers Invo gave with a refusal. `isOwnWord`: the refusal came in Invo's error envelope, not from a
 * proxy. `prose` is Invo's sentence without emails and phones, to be shown and never matched. `family` is whose codes these are, null: reports
 * and subscriptions. `evidence` is the refused body; it stays out of printed forms.
 */
export class InvoError extends Error {
  override readonly name = 'InvoError';
  readonly code: InvoErrorCode;
  readonly status: number | null;
  readonly errorId: string | null;
  readonly errorCode: string | null;
  readonly retryAfterMs: number | null;
  readonly isRetryable: boolean;
  readonly facts: Record<string, unknown>;
  readonly path: string | null;
  readonly isOwnWord: boolean;
  readonly prose: string | null;
  readonly family: RouteFamily | null;
  declare readonly evidence: Evidence | null;

  constructor(code: InvoErrorCode, reason: string, detail: Partial<Omit<InvoError, keyof Error | 'code'>> = {}) {
    super(`${code}: ${reason}`);
    this.code = code;
    this.status = detail.status ?? null;
    this.errorId = detail.errorId ?? null;
    this.errorCode = detail.errorCode ?? null;
    this.retryAfterMs = detail.retryAfterMs ?? null;
    this.isRetryable = detail.isRetryable ?? retryableCodes.has(code);
    this.facts = detail.facts ?? {};
    this.path = detail.path ?? null;
    this.isOwnWord = detail.isOwnWord ?? false;
    this.prose = detail.prose ?? null;
    this.family = detail.family ?? null;
    Object.defineProperty(this, 'evidence', { value: detail.evidence ?? null, enumerable: false });
  }
}

/**
 * Whether Invo itself says that there is no such record: a 404 in its error envelope, with any code. A proxy's page does not count.
 */
export function isAbsent({ code, isOwnWord }: Pick<InvoError, 'code' | 'isOwnWord'>): boolean {
  return code === 'not_found' && isOwnWord;
}

/** The error for a body that breaks the contract at one field; `path` reads like `recipients.3.net_attributed_usd`. Never retried. */
export function malformed(path: string, reason: string, evidence: Evidence | null = null, status?: number): InvoError {
  return new InvoError('malformed', `${path}: ${reason}`, {
    path,
    evidence,
    facts: { reason },
    ...(status === undefined ? {} : { status }),
  });
}
