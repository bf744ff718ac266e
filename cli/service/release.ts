import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { cp, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { isRelease, projectRoot, readProgramVersion } from '#db/config/places.ts'
import { CommandError, exitCodes, failure } from '../exit-code.ts'
import { accountOf, program } from './site.ts'
import {
  type Account,
  giveToRootToRun,
  linkedTo,
  makeSharedFolder,
  replaceLink,
  resultOf,
  runTool,
  type Step,
} from './system.ts'

/** An installed release, in a folder of `releases` that is named after its version. */
export type Release = { version: string; folder: string }

/** The public key in the folder of a release, which verifies the next one; written by scripts/release.mjs. */
export const RELEASE_KEY = 'release-key.pem'

/** The parts of a release to copy. After a trial its folder also has data and settings, which are not copied. */
const PARTS = ['builds', 'cli', 'db', 'node_modules', 'package.json', 'LICENSE', 'THIRD-PARTY-LICENSES.txt']

export function releaseOf(version: string): Release {
  return { version, folder: join(program.releases, version) }
}

/** The release that a link points to; undefined if there is none. */
export async function releaseAt(link: string): Promise<Release | undefined> {
  const folder = await linkedTo(link)
  return folder === undefined || !existsSync(folder) ? undefined : releaseOf(basename(folder))
}

/** The version in a folder's package.json; undefined if it has none. */
export function versionIn(folder: string): string | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version
  } catch {
    return undefined
  }
}

type Surroundings = {
  /** Root runs it as this account instead. */
  account?: Account | undefined
  env?: Record<string, string> | undefined
  timeoutMs?: number | undefined
}

/**
 * Runs the command of a release in its own process, and returns what it printed: a process has one site, and a release
 * knows best what it needs. Keys pressed meanwhile do not reach it.
 * @throws CommandError with its exit code and message.
 */
export async function runRelease(
  { folder }: Pick<Release, 'folder'>,
  words: string[],
  { account, env, timeoutMs }: Surroundings = {},
): Promise<string> {
  const options = { ...account, env: { ...plainEnvironment(), ...env }, cwd: '/', detached: true } as const
  const running = spawn(commandIn(folder), words, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let isLate = false
  const stop = () => {
    isLate = true
    if (running.pid !== undefined) process.kill(-running.pid, 'SIGKILL')
  }
  const timer = timeoutMs === undefined ? undefined : setTimeout(stop, timeoutMs)
  // The code is null if a signal ended it, e.g. for lack of memory.
  const { code, output, said } = await resultOf(() => running).catch(() => ({ code: null, output: '', said: '' }))
  clearTimeout(timer)
  if (code === 0 && !isLate) return output
  const call = `\`${['rsvp', ...words].join(' ')}\``
  const sentence = isLate
    ? `${call} did not end in time.`
    : sentencesIn(said) || `${call} ended with ${code ?? exitCodes.failed}.`
  throw new CommandError(code || exitCodes.failed, sentence)
}

/** The environment for another process, without the settings of this one. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  // biome-ignore lint/style/noProcessEnv: not settings: what another process finds, e.g. its PATH.
  const { RSVP_SITE, DATABASE_URL, FORCE_COLOR, NOTIFY_SOCKET, ...plain } = process.env
  return plain
}

/** The messages of a command on one line, without stack frames. */
export function sentencesIn(said: string): string {
  const lines = said.replace(' Please report it with these lines:', '').split('\n')
  return lines.filter((line) => line.trim() !== '' && !/^\s+at /.test(line)).join(' ')
}

/**
 * The same for a site that runs as a service, or for a copy of its database; as the site's account, because root must
 * not follow links in its folders.
 */
export async function runAt(
  site: string,
  release: Release,
  words: string[],
  { copy, ...surroundings }: Omit<Surroundings, 'account'> & { copy?: string } = {},
): Promise<string> {
  const about = copy === undefined ? ['--site', site] : ['--db', `file:${copy}`]
  return runRelease(release, [...words, ...about], { ...surroundings, account: await accountOf(site) })
}

export function commandIn(folder: string): string {
  return join(folder, 'cli', 'rsvp')
}

/**
 * The steps that put this release into use: its own folder, which belongs to root, and links to it and to its command.
 * @throws CommandError 'failed' if this is not a release.
 */
export async function installProgram(): Promise<Step[]> {
  if (!isRelease || !existsSync(join(projectRoot, 'node_modules', '.bin', 'node'))) {
    const todo =
      'Unpack a release for this platform (`npm run release` makes them), and run its `cli/rsvp service install`.'
    throw failure(`A service runs from a release with its own Node, and this is none. ${todo}`)
  }
  const place = join(program.releases, readProgramVersion())
  const steps: Step[] = []
  if (!existsSync(place))
    steps.push({ text: `Copy this release to ${place}.`, work: () => copyRelease(projectRoot, place) })
  if ((await linkedTo(program.current)) !== place) {
    steps.push({ text: `Point ${program.current} there.`, work: () => replaceLink(program.current, place) })
  }
  const command = commandIn(program.current)
  if ((await linkedTo(program.command)) !== command) {
    steps.push({ text: `Create the command ${program.command}.`, work: () => replaceLink(program.command, command) })
  }
  return steps
}

/** Copies an unpacked release completely, or not at all. */
export async function copyRelease(from: string, place: string): Promise<void> {
  const unfinished = `${place}.tmp`
  await rm(unfinished, { recursive: true, force: true })
  await makeSharedFolder(unfinished)
  const filter = (path: string) => basename(path) !== 'cache'
  for (const part of existsSync(join(from, RELEASE_KEY)) ? [...PARTS, RELEASE_KEY] : PARTS) {
    await cp(join(from, part), join(unfinished, part), { recursive: true, verbatimSymlinks: true, filter })
  }
  await giveToRootToRun(unfinished)
  // A folder with the final name is complete, even after a power failure.
  await runTool('sync')
  await rename(unfinished, place)
}
