/** Exactly the same type, in both directions: ties a table to the schema it stores, so that the two cannot drift apart. */
export type Same<A, B> =
  (<T>() => T extends { [K in keyof A]: A[K] } ? 1 : 2) extends <T>() => T extends {
    [K in keyof B]: B[K]
  }
    ? 1
    : 2
    ? true
    : false
