// Finds libfaketime, which gives a process another clock; installs Debian's package when it may.
import { existsSync } from 'node:fs'
import { Failure, run } from '../run.mjs'

const places = ['x86_64-linux-gnu', 'aarch64-linux-gnu']
  .map((machine) => `/usr/lib/${machine}/faketime/libfaketimeMT.so.1`)
  .concat('/usr/lib/faketime/libfaketimeMT.so.1')

/** The path of the library for programs with threads, e.g. Node. */
export async function faketime() {
  return findFaketime() ?? (await installFaketime())
}

/** What sets the clock of this process, if it is not the machine's: for one that gets nothing else of its environment. */
export function ownClock() {
  const names = /^(LD_PRELOAD|FAKETIME.*|NO_FAKE_STAT)$/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => names.test(name)))
}

function findFaketime() {
  return places.find((path) => existsSync(path))
}

async function installFaketime() {
  const advice = 'install faketime (Debian: `apt-get install faketime`), then run it again.'
  if (process.platform !== 'linux' || process.getuid() !== 0 || !existsSync('/usr/bin/apt-get')) {
    throw new Failure(`There is no libfaketime: ${advice}`)
  }
  // Not `console.error`, with which a test fails.
  process.stderr.write('Installing faketime for the tests (apt-get)…\n')
  const quiet = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await run('apt-get', ['update'], quiet)
  const { output } = await run('apt-get', ['install', '--yes', '--no-install-recommends', 'faketime'], quiet)
  const found = findFaketime()
  if (!found)
    throw new Failure(`${output.trim().split('\n').slice(-20).join('\n')}\nThere is no libfaketime: ${advice}`)
  return found
}
