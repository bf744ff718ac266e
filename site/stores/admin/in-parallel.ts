/** Concurrent requests where each row takes a call: faster than one round trip after the other. */
const AT_ONCE = 4

/** Tries each id, a few at a time; returns those that worked. */
export async function idsThatWorked(ids: number[], attempt: (id: number) => Promise<boolean>): Promise<number[]> {
  const left = [...ids]
  const worked: number[] = []
  async function work(): Promise<void> {
    for (let id = left.shift(); id !== undefined; id = left.shift()) {
      if (await attempt(id)) worked.push(id)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return worked
}
