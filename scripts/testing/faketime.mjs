// Finds libfaketime, which gives a process another clock; installs Debian's package when it may.
import { existsSync } from 'node:fs'
import { Failure } from '../run.mjs'
import { installDebian, mayInstall } from './debian.mjs'

const places = ['x86_64-linux-gnu', 'aarch64-linux-gnu']
  .map((machine) => `/usr/lib/${machine}/faketime/libfaketimeMT.so.1`)
  .concat('/usr/lib/faketime/libfaketimeMT.so.1')

/** The path of the library for programs with threads, e.g. Node. */
export async function faketime() {
  const advice = 'install faketime (Debian: `apt-get install faketime`), then run it again.'
  const present = findFaketime()
  if (present) return present
  if (!mayInstall()) throw new Failure(`There is no libfaketime: ${advice}`)
  const said = await installDebian('faketime')
  const installed = findFaketime()
  if (!installed) throw new Failure(`${said}\nThere is no libfaketime: ${advice}`)
  return installed
}

/** What sets the clock of this process, if it is not the machine's: for one that gets nothing else of its environment. */
export function ownClock() {
  const names = /^(LD_PRELOAD|FAKETIME.*|NO_FAKE_STAT)$/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => names.test(name)))
}

function findFaketime() {
  return places.find((path) => existsSync(path))
}
