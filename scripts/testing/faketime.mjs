// Finds libfaketime, which gives a process another clock; installs Debian's package if it may.
import childProcess from 'node:child_process'
import * as fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { findOrInstall } from './debian.mjs'

/** The path of the library for programs with threads, e.g. Node. */
export function faketime() {
  // Not imported by its name: Node 20, with which the setup loads this, has none.
  const find = () => fs.globSync('/usr/lib/{*-linux-gnu/,}faketime/libfaketimeMT.so.1')[0]
  return findOrInstall(find, ['faketime'], 'There is no libfaketime: install it (Debian: `apt-get install faketime`).')
}

/** The variables that set the clock of this process. */
export function ownClock() {
  const names = /^(LD_PRELOAD|FAKETIME.*|NO_FAKE_STAT)$/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => names.test(name)))
}

const passing = Symbol.for('rsvp clock is passed on')

/** From now on every process gets the clock of this one, also with an environment of its own. */
export function passOnClock() {
  const clock = ownClock()
  if (Object.keys(clock).length === 0 || childProcess[passing]) return
  childProcess[passing] = true
  for (const name of ['spawn', 'spawnSync', 'execFileSync']) {
    const start = childProcess[name]
    childProcess[name] = (...words) =>
      start(...words.map((word) => (word?.env ? { ...word, env: { ...clock, ...word.env } } : word)))
  }
  syncBuiltinESMExports()
}
