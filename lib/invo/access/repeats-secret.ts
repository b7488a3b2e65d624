/** Whether bytes or text repeat one of the secrets, as they are or as JSON would write them. */
export function repeatsSecret(body: Buffer | string, secrets: readonly string[]): boolean {
  return secrets.some((secret) => body.includes(secret) || body.includes(JSON.stringify(secret).slice(1, -1)));
}
