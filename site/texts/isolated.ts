const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

/** Names after one another, each in the direction of its own letters: Unicode's isolates keep one from turning the others around. */
export function isolatedList(names: string[]): string {
  const mixed = names.some((name) => rightToLeft.test(name))
  return names.map((name) => (mixed ? `\u2068${name}\u2069` : name)).join(', ')
}
