// Copies this project, or its build, for tests that change what they run.
import { cpSync, realpathSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../local-node.mjs'

/**
 * Copies parts of the project to the same places of another folder.
 * @param {string[]} parts paths from the root of the project; `dist` becomes the folder it points to.
 */
export function copyProject(parts, place) {
  for (const part of parts) cpSync(realpathSync(join(root, part)), join(place, part), { recursive: true })
}

/** Copies what the command needs, and `more`, and links the packages. */
export function copyCommand(place, more = []) {
  copyProject(['cli/rsvp', 'dist/cli', 'dist/migrations', 'package.json', ...more], place)
  symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'))
}
