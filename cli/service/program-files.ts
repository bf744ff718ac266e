import { existsSync } from 'node:fs'
import { cp, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { isRelease, projectRoot, readProgramVersion } from '#db/config/places.ts'
import { CommandError, exitCodes } from '../exit-code.ts'
import { giveToRootToRun, linkedTo, makeSharedFolder, replaceLink } from './files.ts'
import { program } from './layout.ts'
import { RELEASE_KEY } from './release.ts'
import type { Step } from './step.ts'
import { runTool } from './system.ts'

/** What a release consists of. Whoever tried it out in its folder has data and settings there as well: those stay. */
const PARTS = ['builds', 'cli', 'db', 'node_modules', 'package.json', 'LICENSE', 'THIRD-PARTY-LICENSES.txt']

/**
 * What is to be done so that this release is the one in use: its own folder, that of root, a link to it and to its command.
 * @throws CommandError 'failed' where this is no release.
 */
export async function installProgram(): Promise<Step[]> {
  if (!isRelease || !existsSync(join(projectRoot, 'node_modules', '.bin', 'node'))) {
    const todo =
      'Unpack a release for this platform (`npm run release` makes them), and run its `cli/rsvp service install`.'
    throw new CommandError(
      exitCodes.failed,
      `A service runs from a release with its own Node, and this is none. ${todo}`,
    )
  }
  const place = join(program.releases, readProgramVersion())
  const steps: Step[] = []
  if (!existsSync(place))
    steps.push({ text: `Copy this release to ${place}.`, work: () => copyRelease(projectRoot, place) })
  if ((await linkedTo(program.current)) !== place) {
    steps.push({ text: `Let ${program.current} lead there.`, work: () => replaceLink(program.current, place) })
  }
  const command = join(program.current, 'cli', 'rsvp')
  if ((await linkedTo(program.command)) !== command) {
    steps.push({ text: `Make the command ${program.command}.`, work: () => replaceLink(program.command, command) })
  }
  return steps
}

/** Leaves nothing of the program. */
export function removeProgram(): Step {
  return {
    text: `Remove the program: ${program.folder} and ${program.command}.`,
    work: async () => {
      await rm(program.command, { force: true })
      await rm(program.folder, { recursive: true, force: true })
    },
  }
}

/** Copies an unpacked release without what is of a site: complete, or not there. */
export async function copyRelease(from: string, place: string): Promise<void> {
  const unfinished = `${place}.tmp`
  await rm(unfinished, { recursive: true, force: true })
  await makeSharedFolder(unfinished)
  const filter = (path: string) => basename(path) !== 'cache'
  for (const part of existsSync(join(from, RELEASE_KEY)) ? [...PARTS, RELEASE_KEY] : PARTS) {
    await cp(join(from, part), join(unfinished, part), { recursive: true, verbatimSymlinks: true, filter })
  }
  await giveToRootToRun(unfinished)
  // What has its name is whole, whenever the power fails.
  await runTool('sync')
  await rename(unfinished, place)
}
