/** How often each of a few names came up. */
export type Tally = Map<string, number>

export function tallyOne(tally: Tally, name: string): void {
  tally.set(name, (tally.get(name) ?? 0) + 1)
}
