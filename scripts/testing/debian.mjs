// Installs a package of Debian that tests need, where this account may.
import { existsSync } from 'node:fs'
import { run } from '../run.mjs'

export function mayInstall() {
  return process.platform === 'linux' && process.getuid() === 0 && existsSync('/usr/bin/apt-get')
}

/** @returns {Promise<string>} the end of what apt-get said. The caller looks whether it is there now. */
export async function installDebian(name) {
  // Not `console.error`, with which a test fails.
  process.stderr.write(`Installing ${name} for the tests (apt-get)…\n`)
  const quiet = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await run('apt-get', ['update'], quiet)
  const words = ['install', '--yes', '--no-install-recommends', '--no-remove', name]
  const { output } = await run('apt-get', words, quiet)
  return output.trim().split('\n').slice(-20).join('\n')
}
