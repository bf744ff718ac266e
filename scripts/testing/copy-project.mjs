// Copies this project, or its build, for tests that change what they run.
import { cpSync, realpathSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { root } from '../local-node.mjs'

/** Not part of a build itself: code compiled on this machine, and assets of earlier builds for open pages. */
const OWN = /^(cache|earlier)$/

/**
 * Copies parts of the project to the same places of another folder.
 * @param {string[]} parts paths from the root of the project; `dist` becomes the folder it points to.
 */
export function copyProject(parts, place) {
  for (const part of parts) copy(part, join(place, part))
}

/** Copies what the command needs, and `more`, and links the packages. */
export function copyCommand(place, more = []) {
  copyProject(['cli/rsvp', 'cli/launcher.cjs', 'dist/cli', 'db/migrations', 'package.json', ...more], place)
  symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'))
}

function copy(part, target) {
  const filter = (path) => !OWN.test(basename(path))
  cpSync(realpathSync(join(root, part)), target, { recursive: true, filter })
}
