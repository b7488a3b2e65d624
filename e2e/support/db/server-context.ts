/** Closes the pools that a test opened through `app/_server/server-context.ts`, and forgets them: test files share a process, each has its own database. */
export async function closeServerContext(): Promise<void> {
  await globalThis.sharebookContext?.close();
  globalThis.sharebookContext = undefined;
}
