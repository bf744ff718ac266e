// Installs packages beside those in use, and puts them in their place once all are there.
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './local-node.mjs'

const used = join(root, 'node_modules')
/** Ignored by git, as everything that ends like this. */
const beside = join(root, '.install.tmp')
const replaced = join(beside, 'replaced')

/** Answers where npm is to install. What a setup left that was cut off goes away. */
export function beginInstallation() {
  // It was cut off between the two steps of the exchange.
  if (!existsSync(used) && existsSync(replaced)) renameSync(replaced, used)
  rmSync(beside, { recursive: true, force: true })
  // Windows does not move a folder from which a program runs, as the site with its Node.
  if (process.platform === 'win32' || !existsSync(used)) return root
  mkdirSync(beside)
  for (const name of ['package.json', 'package-lock.json', '.npmrc']) copyFileSync(join(root, name), join(beside, name))
  return beside
}

/** Puts what was installed in the place of what was there. */
export function finishInstallation(folder) {
  if (folder === root) return
  renameSync(used, replaced)
  renameSync(join(beside, 'node_modules'), used)
  rmSync(beside, { recursive: true, force: true })
}
