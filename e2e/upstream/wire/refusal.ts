import type { Json } from './json.ts';

/** A documented no: status, code (null: the facts are the whole body), the sentence for people and the facts its body carries. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string | null;
  readonly facts: Json;
  readonly headers: Record<string, string>;

  constructor(status: number, code: string | null, sentence: string, facts: Json = {}, headers: Record<string, string> = {}) {
    super(sentence);
    this.status = status;
    this.code = code;
    this.facts = facts;
    this.headers = headers;
  }
}
