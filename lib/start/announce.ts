export type AnnounceOptions = { url: string; isSimulated: boolean; env: NodeJS.ProcessEnv };

/** Says, once everything is up, where to go and how to get in: one line each. */
export async function announce({ url, isSimulated }: AnnounceOptions): Promise<string[]> {
  const lines = ['', `Sharebook is ready at ${url}`];
  if (isSimulated) return [...lines, 'The data is simulated: open the address and pick a person to sign in as.', ''];
  return [...lines, 'Sign in with your e-mail and password.', ''];
}
