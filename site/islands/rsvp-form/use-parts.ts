import { useRef, useState } from 'react'

const loadParts = async () => (await import('./parts.ts')).parts
export type Parts = Awaited<ReturnType<typeof loadParts>>

/**
 * What the form needs once a field is touched. `load` loads it once, however often it is called; where that fails, e.g.
 * because the site is out of reach, it returns undefined, and the next call tries again.
 * @param onLoad called once.
 */
export function useParts(onLoad: (parts: Parts) => void) {
  const [parts, setParts] = useState<Parts>()
  const loading = useRef<Promise<Parts | undefined>>(undefined)

  function load(): Promise<Parts | undefined> {
    loading.current ??= loadParts().then(
      (loaded) => {
        setParts(loaded)
        onLoad(loaded)
        return loaded
      },
      () => {
        loading.current = undefined
        return undefined
      },
    )
    return loading.current
  }

  return { parts, load }
}
