import { createHmac } from 'node:crypto';
import { expect } from 'playwright/test';

const STEP_MS = 30_000;
/** A code of the step before is sure to be accepted only while its step isn't about to be left behind. */
const SAFE_MS = 20_000;

/** The app on a person's phone, written from RFC 6238 alone: it holds the key they typed from the screen and gives each code once. */
export class Authenticator {
  readonly #key: Buffer;
  #last = 0;

  constructor(typed: string) {
    const letters = typed.replaceAll(/\s/g, '');
    const bits = [...letters].map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0')).join('');
    this.#key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  }

  /** The oldest code that Sharebook accepts and that wasn't given yet: three of them are valid at a time. */
  async next(): Promise<string> {
    const now = Date.now();
    const oldest = Math.floor(now / STEP_MS) - (now % STEP_MS < SAFE_MS ? 1 : 0);
    const step = Math.max(this.#last + 1, oldest);
    await expect.poll(() => Math.floor(Date.now() / STEP_MS), { timeout: STEP_MS + 5_000 }).toBeGreaterThanOrEqual(step - 1);
    this.#last = step;
    return this.#codeOf(step);
  }

  /** The newest code that Sharebook accepts, which it accepts for at least another minute. */
  newest(): string {
    this.#last = Math.floor(Date.now() / STEP_MS) + 1;
    return this.#codeOf(this.#last);
  }

  #codeOf(step: number): string {
    const counter = Buffer.alloc(8);
    counter.writeBigUInt64BE(BigInt(step));
    const mac = createHmac('sha1', this.#key).update(counter).digest();
    const offset = (mac[19] ?? 0) & 15;
    return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
  }
}
