/** Maps a list in order with limited concurrency. The first error starts no further work and is thrown once running work has ended. */
export async function mapLimit<T, R>(list: readonly T[], limit: number, work: (each: T, index: number) => Promise<R>): Promise<R[]> {
  const results = new Array<R>(list.length);
  const errors: unknown[] = [];
  let next = 0;
  async function runner(): Promise<void> {
    while (next < list.length && errors.length === 0) {
      const index = next;
      next += 1;
      try {
        results[index] = await work(list[index] as T, index);
      } catch (error) {
        errors.push(error);
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, list.length) }, runner));
  if (errors.length > 0) throw errors[0];
  return results;
}
