// Whether there is memory enough to build, and how to build with less of it.
import { existsSync, readFileSync } from 'node:fs'
import { freemem } from 'node:os'

/** In MB, measured (docs/reliability.md): what a build takes where it may, and what is the least it can do with. */
const USUAL = 800
const LEAST = 550
/** The same of npm, which takes what it likes. */
const INSTALLING = 900

/** What is free, in MB: also that of a container, and swap. */
export function freeMemory() {
  const meminfo = '/proc/meminfo'
  const text = existsSync(meminfo) ? readFileSync(meminfo, 'utf8') : ''
  const swap = Number(/^SwapFree: +(\d+) kB$/m.exec(text)?.[1] ?? 0) * 1024
  return Math.floor(((process.availableMemory?.() ?? freemem()) + swap) / 1024 / 1024)
}

/** How to build with so much free memory: what Node and its libraries are told, and what to say before, if anything. */
export function buildingWith(free) {
  if (free >= USUAL) return { words: [], variables: {}, warning: undefined }
  return {
    words: ['--max-old-space-size=192', '--max-semi-space-size=1'],
    // The bundler is written in Rust, and each of its threads holds memory of its own.
    variables: { RAYON_NUM_THREADS: '1', TOKIO_WORKER_THREADS: '1' },
    warning: free < LEAST ? warningOf(free, 'a build', LEAST) : undefined,
  }
}

/** What to say before packages are installed with so much free memory, if anything. */
export function installingWith(free) {
  return free < INSTALLING ? warningOf(free, 'installing', INSTALLING) : undefined
}

function warningOf(free, what, needed) {
  const todo = 'it may be killed. Add swap, or do it on another machine (see "Updates" in docs/operating.md).'
  return `Only ${free} MB of memory are free, and ${what} needs ${needed}: ${todo}`
}
