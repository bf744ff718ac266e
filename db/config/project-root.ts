import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder with package.json: a checkout of the project, or a release that is unpacked or installed. */
export const projectRoot = findProjectRoot(dirname(fileURLToPath(import.meta.url)))

/** Whether this is a release: its folder belongs to a version, not to a site, which outlives it. A checkout has its own build. */
export const isRelease = !existsSync(join(projectRoot, 'dist')) && existsSync(join(projectRoot, 'builds', 'packed'))

/** How people call the command and start the site, in sentences that say what to do next. */
export const rsvpCommand = isRelease ? 'rsvp' : 'npx rsvp'
export const startCommand = isRelease ? 'rsvp serve' : 'npm start'

/** The version of the program: a release has its own, a checkout that of the last one. */
export function readProgramVersion(): string {
  return JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')).version
}

function findProjectRoot(folder: string): string {
  return existsSync(join(folder, 'package.json')) || folder === dirname(folder)
    ? folder
    : findProjectRoot(dirname(folder))
}
