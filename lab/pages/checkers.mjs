// Installs the checkers.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { installPackages } from '../packages.mjs'

export async function installCheckers() {
  const placeOf = await installPackages('pages', { lighthouse: '13.5.0', 'vnu-jar': '26.9.27' })
  return {
    jar: join(placeOf('vnu-jar'), 'build', 'dist', 'vnu.jar'),
    lighthouse: await import(pathToFileURL(join(placeOf('lighthouse'), 'core', 'index.js')).href),
  }
}
