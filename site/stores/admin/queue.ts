/** Creates a queue for the changes of one resource. They run one at a time, so that the last change is stored last. */
export function createQueue() {
  let last: Promise<unknown> = Promise.resolve()

  /** Runs a task after those before it. It must not reject, because the next one would fail with it. */
  return function enqueue<Result>(task: () => Promise<Result>): Promise<Result> {
    const result = last.then(task)
    last = result
    return result
  }
}
