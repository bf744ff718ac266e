// Before every test file: whatever is printed with console.error fails the test that did it; React warns that way. And
// vi.waitFor waits for what must come at all, not a second: on a busy machine it comes late.
import { afterAll, afterEach, vi } from 'vitest'

const PATIENCE = 120_000

const waitFor = vi.waitFor
vi.waitFor = (look, options) => waitFor(look, { timeout: PATIENCE, ...(typeof options === 'object' && options) })

const print = console.error
let printed: unknown[][] = []

// A test that expects an error message replaces this with its own vi.spyOn(console, 'error').
console.error = (...words: unknown[]) => {
  printed.push(words)
  print(...words)
}

afterEach(async () => {
  if (typeof document !== 'undefined') (await import('@testing-library/react')).cleanup()
  vi.restoreAllMocks()
  failIfPrinted()
})

afterAll(failIfPrinted)

function failIfPrinted() {
  const [first] = printed
  printed = []
  if (first) throw new Error(`console.error was called: ${first.map(String).join(' ')}`)
}
