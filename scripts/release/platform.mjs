// Makes the folder that runs on one platform: the package, the Node it runs on, and the packages that cannot be bundled.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { extract } from 'tar'
import { root, systemEnvironment } from '../local-node.mjs'
import { Failure, run } from '../run.mjs'
import { asReleased } from './parts.mjs'

export const platforms = ['linux-x64', 'linux-arm64']

/**
 * @param {string} platform e.g. `linux-x64`
 * @param {string} archive the package, as npm packed it
 * @param {string} folder where the result goes
 */
export async function assemble(platform, archive, folder) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await extract({ file: archive, cwd: folder, strip: 1 })
  renameSync(await install(platform, `${folder}.tmp`), join(folder, 'node_modules'))
  rmSync(`${folder}.tmp`, { recursive: true })
  leaveOut(platform, join(folder, 'node_modules'))
}

/** As the lockfile of the project says, whatever this machine is. Returns the folder with the packages. */
async function install(platform, place) {
  const [os, cpu] = platform.split('-')
  rmSync(place, { recursive: true, force: true })
  mkdirSync(place)
  const [manifest, lock] = ['package.json', 'package-lock.json'].map((name) =>
    JSON.parse(readFileSync(join(root, name))),
  )
  lock.packages[''] = asReleased(lock.packages[''])
  writeFileSync(join(place, 'package.json'), JSON.stringify(asReleased(manifest)))
  writeFileSync(join(place, 'package-lock.json'), JSON.stringify(lock))
  const words = ['ci', '--omit=dev', '--ignore-scripts', `--os=${os}`, `--cpu=${cpu}`, '--libc=glibc']
  const { code, output } = await run('npm', words, systemEnvironment(), place)
  if (code !== 0) throw new Failure(`${output.trim()}\nThe packages for ${platform} could not be installed, see above.`)
  return join(place, 'node_modules')
}

/** Headers for compiling, and manuals. */
function leaveOut(platform, modules) {
  const node = join(modules, `node-${platform}`)
  for (const name of readdirSync(node)) {
    if (!['bin', 'LICENSE', 'package.json'].includes(name)) rmSync(join(node, name), { recursive: true })
  }
  rmSync(join(modules, '.package-lock.json'), { force: true })
}
