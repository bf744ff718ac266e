// Installs packages that a single task needs, when it runs, so that they do not burden every clone.
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './local-node.mjs'
import { Failure, run } from './run.mjs'

/**
 * @param {string} task e.g. `pages`
 * @param {Record<string, string>} packages versions by name
 * @returns {Promise<(name: string) => string>} where each of them is
 */
export async function installPackages(task, packages) {
  const wanted = Object.entries(packages).map(([name, version]) => `${name}@${version}`)
  const cache = join(root, 'node_modules', '.cache')
  const folder = join(cache, `rsvp-${task}-${wanted.join('-').replaceAll(/[^\w.-]/g, '')}`)
  if (!existsSync(folder)) {
    // Not `console.error`, which fails a test.
    process.stderr.write(`Installing ${wanted.join(' and ')}…\n`)
    mkdirSync(cache, { recursive: true })
    // Installed beside it and renamed when complete: several tests may need it at once.
    const unfinished = mkdtempSync(join(cache, 'unfinished-'))
    const words = ['--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps', ...wanted]
    const { code, output } = await run('npm', ['install', '--prefix', unfinished, ...words])
    if (code !== 0) throw new Failure(`${output}\nThey were not installed. Connect this machine, then run it again.`)
    if (existsSync(folder)) rmSync(unfinished, { recursive: true })
    else renameSync(unfinished, folder)
  }
  return (name) => join(folder, 'node_modules', name)
}
