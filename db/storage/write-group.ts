import type { ResultSet, SharedWrite, Statement } from './connection.ts'
import type { Job } from './line.ts'

/** A write that waits: statements of its own, or an item of a shared write. */
export type Write = { statements: Statement[] } | { shared: SharedWrite<unknown, unknown>; item: unknown }

/** The most writes with statements of their own that share one transaction: more would block the event loop. */
const OWN_STATEMENTS_MAXIMUM = 32

/** What runs in one transaction: the statements, and what each write gets of their results. */
type Group = { statements: Statement[]; resultsOf(results: ResultSet[]): unknown[] }

/** The writes that go into the next transaction, in order: all that are shared, and some of the others. */
export function firstGroup(waiting: Job<Write>[]): Job<Write>[] {
  let own = 0
  return waiting.filter(({ input }) => 'shared' in input || ++own <= OWN_STATEMENTS_MAXIMUM)
}

/** Puts writes into one transaction; those that are shared run where the first of their kind stands. */
export function groupOf(writes: Write[]): Group {
  const results: unknown[] = []
  const parts = partsOf(writes)
  return {
    statements: parts.flatMap(({ statements }) => statements),
    resultsOf(sets) {
      let start = 0
      for (const { statements, places, split } of parts) {
        const own = split(sets.slice(start, start + statements.length))
        places.forEach((place, index) => {
          results[place] = own[index]
        })
        start += statements.length
      }
      return results
    },
  }
}

type Part = { statements: Statement[]; places: number[]; split(results: ResultSet[]): unknown[] }

function partsOf(writes: Write[]): Part[] {
  const kinds = new Set<SharedWrite<unknown, unknown>>()
  return writes.flatMap((write, place): Part[] => {
    if ('statements' in write) return [{ statements: write.statements, places: [place], split: (sets) => [sets] }]
    if (kinds.has(write.shared)) return []
    kinds.add(write.shared)
    return [sharedPart(write.shared, writes)]
  })
}

function sharedPart(shared: SharedWrite<unknown, unknown>, writes: Write[]): Part {
  const places: number[] = []
  const items: unknown[] = []
  writes.forEach((write, place) => {
    if (!('shared' in write) || write.shared !== shared) return
    places.push(place)
    items.push(write.item)
  })
  return { statements: shared.statements(items), places, split: (sets) => shared.results(sets, items) }
}
