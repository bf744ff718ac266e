// Tells whether there is enough memory to build, and how to build with less.
import { existsSync, readFileSync } from 'node:fs'
import { freemem } from 'node:os'

/** Measured (docs/reliability.md): what a build takes without limits, and the least with which it succeeds. */
const UNLIMITED_BUILD_MB = 800
const LIMITED_BUILD_MB = 550
/** npm cannot be limited. */
const INSTALLATION_MB = 900

/** Free memory and swap in MB; in a container what its limit leaves. */
export function freeMemory() {
  const meminfo = '/proc/meminfo'
  const text = existsSync(meminfo) ? readFileSync(meminfo, 'utf8') : ''
  const swap = Number(/^SwapFree: +(\d+) kB$/m.exec(text)?.[1] ?? 0) * 1024
  return Math.floor(((process.availableMemory?.() ?? freemem()) + swap) / 1024 / 1024)
}

/** Node's options, environment variables and, where memory is short, a warning for a build. @param {number} free in MB */
export function buildingWith(free) {
  if (free >= UNLIMITED_BUILD_MB) return { words: [], variables: {}, warning: undefined }
  return {
    words: ['--max-old-space-size=192', '--max-semi-space-size=1'],
    // The bundler is written in Rust, and each of its threads has its own memory.
    variables: { RAYON_NUM_THREADS: '1', TOKIO_WORKER_THREADS: '1' },
    warning: free < LIMITED_BUILD_MB ? warningOf(free, 'a build', LIMITED_BUILD_MB) : undefined,
  }
}

/** A warning where there is too little memory to install. @param {number} free in MB */
export function installingWith(free) {
  return free < INSTALLATION_MB ? warningOf(free, 'installing', INSTALLATION_MB) : undefined
}

function warningOf(free, what, needed) {
  const todo = 'it may be killed. Add swap, or do it on another machine (see "Updates" in docs/operating.md).'
  return `Only ${free} MB of memory are free, and ${what} needs ${needed}: ${todo}`
}
