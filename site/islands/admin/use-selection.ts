import { useCallback, useState } from 'react'
import type { TablePage } from '#db/rsvp/schema.ts'

export type Selection = ReturnType<typeof useSelection>

/**
 * The rows of a page that are ticked; or `all` that match on every page, without the rows of this page that are unticked.
 * What is on other pages is never held here, however much it is.
 */
export function useSelection(page: TablePage | null) {
  const ids = page?.responses.map(({ id }) => id) ?? []
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set())
  const [all, setAll] = useState(false)
  const unticked = ids.filter((id) => !ticked.has(id))

  const tick = useCallback((id: number, now: boolean) => {
    setTicked((before) => new Set(now ? [...before, id] : [...before].filter((each) => each !== id)))
  }, [])

  function tickAll(now: boolean) {
    setTicked(new Set(now ? ids : []))
    if (!now) setAll(false)
  }

  const count = all ? (page?.total ?? 0) - unticked.length : ticked.size
  return { ticked, unticked, all, count, tick, tickAll, selectAll: setAll }
}
