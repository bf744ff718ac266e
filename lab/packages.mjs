// Installs what only one trial needs, when it is run: it would burden every clone.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../scripts/local-node.mjs'
import { Failure, run } from '../scripts/run.mjs'

/**
 * @param {string} trial e.g. `pages`
 * @param {Record<string, string>} packages versions by name
 * @returns {Promise<(name: string) => string>} where each of them is
 */
export async function installPackages(trial, packages) {
  const folder = join(root, 'node_modules', '.cache', `rsvp-${trial}`)
  const placeOf = (name) => join(folder, 'node_modules', name)
  if (!Object.keys(packages).every((name) => existsSync(placeOf(name)))) {
    const wanted = Object.entries(packages).map(([name, version]) => `${name}@${version}`)
    console.log(`Installing ${wanted.join(' and ')}…`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{ "private": true }')
    const { code, output } = await run('npm', ['install', '--no-audit', '--no-fund', ...wanted], process.env, folder)
    if (code !== 0) throw new Failure(`${output}\nThey were not installed. Connect this machine, then run it again.`)
  }
  return placeOf
}
