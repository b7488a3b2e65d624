import { InvoError, malformed } from '../invo-error.ts';

const TORN = new Set(['HPE_INVALID_EOF_STATE', 'HPE_CLOSED_CONNECTION']);
const CERTIFICATE = /^(CERT_|ERR_TLS_|ERR_SSL_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_)/;

/**
 * Names what the socket reported. Only the system's own code is kept: the original error may lead to the request and its headers.
 * A bad certificate stays bad, so it is not retried; an answer that is not HTTP is malformed.
 */
export function roadError(error: Error): InvoError {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'UNKNOWN';
  if (code === 'HPE_HEADER_OVERFLOW') return new InvoError('too_large', 'more header bytes received than accepted');
  if (code.startsWith('HPE_') && !TORN.has(code)) return malformed('http', code);
  return new InvoError('unreachable', code, { isRetryable: !CERTIFICATE.test(code), facts: { system_code: code } });
}
