// Installs what only these checks need: it would burden every clone.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../../scripts/local-node.mjs'
import { Failure, run } from '../../scripts/run.mjs'

const packages = ['lighthouse@13.5.0', 'vnu-jar@26.9.27']
const folder = join(root, 'node_modules', '.cache', 'rsvp-pages')

export async function installCheckers() {
  const installed = (name) => join(folder, 'node_modules', name)
  if (!['lighthouse', 'vnu-jar'].every((name) => existsSync(installed(name)))) {
    console.log(`Installing ${packages.join(' and ')}…`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{ "private": true }')
    const { code, output } = await run('npm', ['install', '--no-audit', '--no-fund', ...packages], process.env, folder)
    if (code !== 0)
      throw new Failure(`${output}\nThe checkers were not installed. Connect this machine, then run it again.`)
  }
  return {
    jar: join(installed('vnu-jar'), 'build', 'dist', 'vnu.jar'),
    lighthouse: await import(pathToFileURL(join(installed('lighthouse'), 'core', 'index.js')).href),
  }
}
