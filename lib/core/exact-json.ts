/** A number that JavaScript would write otherwise than Invo did, such as 12.00 or 123456789012345678901; it is stored with Invo's digits. */
export class ExactNumber {
  readonly digits: string;
  constructor(digits: string) {
    this.digits = digits;
  }

  toJSON(): unknown {
    return nativeJson().rawJSON(this.digits);
  }
}

/**
 * Parses JSON without losing digits of its numbers: `ExactNumber` where a number of JavaScript would be written otherwise. `revive` then sees each
 * value, as that of JSON.parse does.
 */
export function parseExactJson(text: string, revive: (name: string, value: unknown) => unknown = (_, value) => value): unknown {
  return nativeJson().parse(text, (name, value, { source }) => {
    const isRounded = typeof value === 'number' && source !== undefined && source !== String(value);
    return revive(name, isRounded ? new ExactNumber(source) : value);
  });
}

interface NativeJson {
  rawJSON(text: string): unknown;
  parse(text: string, revive: (name: string, value: unknown, context: { source?: string }) => unknown): unknown;
}

/** Every Node this runs on has them; the types of the language don't know them yet. */
function nativeJson(): NativeJson {
  return JSON as unknown as NativeJson;
}
