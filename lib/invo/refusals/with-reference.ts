/** A sentence with the reference to quote to Invo, where Invo gave one. */
export function withReference(said: string, errorId: string | null): string {
  return errorId === null ? said : `${said} Quote ${errorId} to Invo.`;
}
