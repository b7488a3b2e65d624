import type { Json } from './json.ts';

/** A documented no: status, code, the sentence for people and the facts its body carries. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly facts: Json;
  readonly headers: Record<string, string>;

  constructor(status: number, code: string, sentence: string, facts: Json = {}, headers: Record<string, string> = {}) {
    super(sentence);
    this.status = status;
    this.code = code;
    this.facts = facts;
    this.headers = headers;
  }
}
