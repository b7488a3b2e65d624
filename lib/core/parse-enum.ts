/** The value of a closed list that a stored text is. Throws for any other text: a CHECK allows only these, so the two lists differ. */
export function parseEnum<Value extends string>(values: readonly Value[], text: string): Value {
  const value = values.find((value) => value === text);
  if (value === undefined) throw new Error(`unknown stored value ${text}, expected one of ${values.join(', ')}`);
  return value;
}

/** The same for a column that can be NULL. */
export function parseEnumOrNull<Value extends string>(values: readonly Value[], text: string | null): Value | null {
  return text === null ? null : parseEnum(values, text);
}
