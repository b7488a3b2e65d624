/**
 * Masks an email for roles without `emails.read`: the first letter of the name and of the host, and the last label stay.
 * Text that is not an email is masked whole. The length of the hidden part does not show.
 */
export function maskEmail(text: string): string {
  const [, first, host, ending] = /^(.)[^@]*@(.)[^@]*?(\.[^.@]+)?$/su.exec(text.trim()) ?? [];
  return first === undefined || host === undefined ? '•••' : `${first}•••@${host}•••${ending ?? ''}`;
}
