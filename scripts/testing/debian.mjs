// Finds a program that tests need, or installs its Debian package, if this account may.
import { existsSync } from 'node:fs'
import { Failure, run } from '../run.mjs'

/**
 * @param {() => string | undefined} find where it is
 * @param {string[]} packages that contain it, the best first
 * @param {string} advice how to install it by hand
 */
export async function findOrInstall(find, packages, advice) {
  const present = find()
  if (present) return present
  if (process.platform !== 'linux' || process.getuid() !== 0 || !existsSync('/usr/bin/apt-get'))
    throw new Failure(advice)
  const quiet = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await run('apt-get', ['update'], quiet)
  let said = ''
  for (const name of packages) {
    // Not `console.error`, which fails a test.
    process.stderr.write(`Installing ${name} for the tests (apt-get)…\n`)
    said = (await run('apt-get', ['install', '--yes', '--no-install-recommends', '--no-remove', name], quiet)).output
    if (find()) return find()
  }
  throw new Failure(`${said.trim().split('\n').slice(-20).join('\n')}\n${advice}`)
}
