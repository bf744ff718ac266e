// Runs before every test file. A test that prints with console.error fails, since React warns that way. vi.waitFor waits
// two minutes instead of one second: on a busy machine things come late. Passwords are cheap here, and in every
// process that gets this environment. Every process has the clock of its test.
import { afterAll, afterEach, vi } from 'vitest'
import { passOnClock } from './faketime.mjs'
import { setTestOverrides, withOverrides } from './overrides.mjs'

const TIMEOUT_MS = 120_000

const waitFor = vi.waitFor
vi.waitFor = (look, options) => waitFor(look, { timeout: TIMEOUT_MS, ...(typeof options === 'object' && options) })

setTestOverrides()
passOnClock()
Object.assign(process.env, withOverrides())

const print = console.error
let printed: unknown[][] = []

// A test that expects an error message replaces this with its own vi.spyOn(console, 'error').
console.error = (...words: unknown[]) => {
  printed.push(words)
  print(...words)
}

afterEach(() => {
  vi.restoreAllMocks()
  failIfPrinted()
})

// Other test files may follow in the same process, with a setup of their own.
afterAll(() => {
  console.error = print
  vi.waitFor = waitFor
  failIfPrinted()
})

function failIfPrinted() {
  const [first] = printed
  printed = []
  if (first) throw new Error(`console.error was called: ${first.map(String).join(' ')}`)
}
