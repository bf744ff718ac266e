/** Creates a queue for the changes of one resource. They run one at a time, so that the last change is stored last. */
export function createQueue() {
  let last: Promise<unknown> = Promise.resolve()

  /** Runs a task after those before it, whether or not they succeed. */
  return function enqueue<Result>(task: () => Promise<Result>): Promise<Result> {
    const result = last.then(task, task)
    last = result
    return result
  }
}
