/** Makes a queue for what changes one resource: one after the other, so that the change made last is stored last. */
export function createQueue() {
  let last: Promise<unknown> = Promise.resolve()

  /** Runs a task once those before it are over. It must not reject: whoever waits behind it has nothing to do with it. */
  return function enqueue<Result>(task: () => Promise<Result>): Promise<Result> {
    const result = last.then(task)
    last = result
    return result
  }
}
