// Finds a program that tests need, or installs its Debian package, if this account may.
import { existsSync } from 'node:fs'
import { Failure, run } from '../run.mjs'

/**
 * @param {() => string | undefined} find where it is
 * @param {string[]} packages that contain it, the best first
 * @param {string} advice how to install it by hand
 */
export async function findOrInstall(find, packages, advice) {
  const isDebian = process.platform === 'linux' && existsSync('/usr/bin/apt-get')
  let output = ''
  if (!find() && isDebian && process.getuid() === 0) {
    const quiet = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    await run('apt-get', ['update'], quiet)
    const words = ['install', '--yes', '--no-install-recommends', '--no-remove']
    for (const name of packages) if (!find()) output = (await run('apt-get', [...words, name], quiet)).output
  }
  const found = find()
  if (!found) throw new Failure(`${output}${advice}`)
  return found
}
