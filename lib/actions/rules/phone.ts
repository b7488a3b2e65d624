/** Parses a typed number as Invo takes it (document 3, Limits): a plus, then 10 to 15 digits; spaces and the signs of groups are left out. Null for anything else. */
export function parsePhone(typed: string): string | null {
  const phone = typed.trim().replaceAll(/[\s().-]/g, '');
  return /^\+[1-9]\d{9,14}$/.test(phone) ? phone : null;
}
