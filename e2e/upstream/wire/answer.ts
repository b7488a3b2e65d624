import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';

const compress = promisify(gzip);

/** An answer ready to be sent. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  bytes: Buffer;
}

/** Serializes a body, gzipped when the caller accepts gzip. */
export async function jsonAnswer(
  request: IncomingMessage,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const plain = Buffer.from(text);
  const takesGzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  const bytes = takesGzip ? await compress(plain, { level: constants.Z_BEST_SPEED }) : plain;
  return {
    status,
    bytes,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(bytes.length),
      'cache-control': 'no-store',
      vary: 'accept-encoding',
      ...(takesGzip ? { 'content-encoding': 'gzip' } : {}),
      ...headers,
    },
  };
}

/** The fields in which the documents name a code. */
export const CODE_FIELDS = ['error_code', 'error_code_public', 'code', 'error', 'status', 'reason'] as const;
export type CodeField = (typeof CODE_FIELDS)[number];

/** The error envelope of the contract with the code in its field, or only the facts of a refusal without a code. */
export function errorBody(refusal: Refusal, errorId: string): Json {
  const { code, codeField, message, facts } = refusal;
  if (code === null) return facts;
  const words = codeField === 'error' ? { error: code, message } : { error: message, [codeField]: code };
  return { ...words, error_id: errorId, timestamp: new Date().toISOString(), ...facts };
}

/** Sends a whole answer. */
export function send(response: ServerResponse, answer: Answer): void {
  response.writeHead(answer.status, answer.headers);
  response.end(answer.bytes);
}

/** A refusal of the contract: status, code (null: the facts are the whole body), message and facts. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string | null;
  readonly facts: Json;
  readonly headers: Record<string, string>;
  /** Where the code is written; a fault can move it. */
  codeField: CodeField = 'error_code';

  constructor(status: number, code: string | null, sentence: string, facts: Json = {}, headers: Record<string, string> = {}) {
    super(sentence);
    this.status = status;
    this.code = code;
    this.facts = facts;
    this.headers = headers;
  }

  /** The same refusal with its code in another field. */
  under(field: CodeField): this {
    this.codeField = field;
    return this;
  }
}

/** A refusal of a route below /api/sdk: its code is in `code` (document 1, Errors). */
export function sdkRefusal(status: number, code: string, sentence: string, facts: Json = {}): Refusal {
  return new Refusal(status, code, sentence, facts).under('code');
}

/** A refusal that has words and no code. */
export function wordsOnly(status: number, error: string, facts: Json = {}): Refusal {
  return new Refusal(status, null, error, { error, ...facts });
}

/** An answer with a status of its own; a body of null is no byte. */
export class Reply {
  readonly status: number;
  readonly body: Json | null;

  constructor(status: number, body: Json | null) {
    this.status = status;
    this.body = body;
  }
}

/** A body before it is serialized. */
export type Json = { [key: string]: unknown };
