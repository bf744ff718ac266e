import { once } from 'node:events'
import { mkdir, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import compare from 'semver/functions/compare.js'
import { isRelease, listSites, projectRoot } from '#db/config/places.ts'
import { errorCodeOf } from '#db/process/errors.ts'
import type { Context } from '../context.ts'
import { CommandError, exitCodes, failure, notFoundError, usageError } from '../exit-code.ts'
import type { Io } from '../io.ts'
import { hasTerminal, say } from '../output/output.ts'
import { canUseTables } from '../service/put-back-tables.ts'
import { type Release, releaseAt } from '../service/release.ts'
import { program, runningProcess, stateOf } from '../service/site.ts'
import { type Situation, stepsTo } from '../service/switch.ts'
import { carryOut, requireSystemd } from '../service/system.ts'
import { type FoundRelease, findRelease } from '../service/take-release.ts'

type UpdateOptions = { to?: string; unsigned?: true; yes?: true; dryRun?: true }
type RollbackOptions = { restore?: true; yes?: true; dryRun?: true }

/** Said after an older database was restored. */
const RESTORED =
  'What was deleted or erased since the update is back: erase it again. Administrators and passwords are those from before the update, also of those removed since, and everyone is signed out.'

/** Switches every site that runs as a service here to another release, and back if one of them fails. */
export async function update(source: string | undefined, options: UpdateOptions, context: Context): Promise<void> {
  if (!isRelease && source === undefined) {
    throw failure(
      `${projectRoot} is a checkout: bring it up to date with \`git pull && npm start\`, see docs/upgrade.md.`,
    )
  }
  const { io, call, quiet } = context
  if (!options.dryRun) await requireSystemd('update')
  await updateAlone(io, async (interruption) => {
    const target = await findRelease(source, options, io.cwd())
    const situation = await findSituation(call.now)
    const { proved } = situation
    if (await isInUse(target.version, situation)) {
      if (!quiet) say(`${target.version} is in use already.`, io)
      return
    }
    if (options.to === undefined && compare(target.version, proved.version) < 0) {
      const older = `${target.version} is older than ${proved.version}, which is in use.`
      throw usageError(`${older} \`rsvp rollback\` goes back; --to takes any version.`)
    }
    if (target.isUnsigned && !options.dryRun) await agreeToUnsigned(target, context)
    const steps = stepsTo(target, situation, call.now)
    const question = `Update from ${proved.version} to ${target.version}?`
    if (!(await carryOut(steps, question, options, { ...context, signal: interruption })) || quiet) return
    say(`${target.version} is in use. \`rsvp rollback\` goes back to ${proved.version}.`, io)
    sayStopped(situation, io)
  })
}

/** Switches every site that runs as a service here back to the previous release. */
export async function rollBack(options: RollbackOptions, context: Context): Promise<void> {
  const { io, call, quiet } = context
  if (!isRelease) {
    const todo = 'go back with `git checkout` of the previous version and `npm start`, see docs/upgrade.md.'
    throw failure(`${projectRoot} is a checkout: ${todo}`)
  }
  if (!options.dryRun) await requireSystemd('update')
  await updateAlone(io, async (interruption) => {
    const situation = await findSituation(call.now)
    // After an interrupted update: the release from before it.
    const target = situation.isOpen ? situation.proved : await releaseAt(program.previous)
    if (target === undefined) {
      const todo = 'It goes back to the release that an update replaced; `rsvp update --to VERSION` takes any version.'
      throw notFoundError(`No release was in use before this one. ${todo}`)
    }
    const restored = await sitesToRestore(target, situation, options)
    const steps = stepsTo({ ...target, kind: 'installed', path: target.folder }, situation, call.now, restored)
    const question = `Go back from ${situation.inUse.version} to ${target.version}?`
    if (!(await carryOut(steps, question, options, { ...context, signal: interruption })) || quiet) return
    say(`${target.version} is in use again.`, io)
    if (restored.length > 0) say(RESTORED, io)
    sayStopped(situation, io)
  })
}

/** Without a signature anyone may have made it, and it will run as root: --yes is not enough. */
async function agreeToUnsigned({ version, path }: FoundRelease, { io, signal }: Context): Promise<void> {
  if (!hasTerminal(io)) {
    throw usageError('No terminal to confirm on: --unsigned asks there, also with --yes.')
  }
  say(`${path} is not signed, so its origin is unknown. It will run as root.`, io)
  const { askForText } = await import('../ui/ask-line.ts')
  const typed = await askForText({ label: `Type ${version} to run it:`, preset: 'no' }, { signal, io })
  if (typed !== version) throw failure('Nothing was changed.')
}

/**
 * The sites whose tables the release cannot use.
 * @throws CommandError 'failed' if there are any, unless --restore is given.
 */
async function sitesToRestore(
  target: Release,
  { running }: Situation,
  { restore }: RollbackOptions,
): Promise<string[]> {
  const found: string[] = []
  for (const site of running) if (!(await canUseTables(site, target))) found.push(site)
  if (found.length === 0 || restore) return found
  const what = `The update has changed the tables of ${found.join(', ')}, and ${target.version} cannot use them.`
  const todo =
    '`rsvp rollback --restore` also restores the database from before the update and adds the responses that came ' +
    'since; any other changes are then only in a copy beside it.'
  throw failure(`${what} ${todo}`)
}

/** @throws CommandError 'failed' if no release is in use. */
async function findSituation(now: Date): Promise<Situation> {
  const inUse = await releaseAt(program.current)
  if (inUse === undefined) {
    const todo = 'Make a site a service first: `rsvp service install`, see docs/install.md.'
    throw failure(`No release is in use here. ${todo}`)
  }
  const before = await releaseAt(program.unproved)
  const states = await Promise.all(listSites().map((site) => stateOf(site, now)))
  // Sites that an interrupted update started may have failed since.
  const isOpen = before !== undefined
  const running = states.filter(({ state }) => isOpen || /^(active|activating)$/.test(state)).map(({ site }) => site)
  const stopped = listSites().filter((site) => !running.includes(site))
  return { inUse, proved: before ?? inUse, isOpen, running, stopped }
}

/** Whether every running site uses this version, and no update was interrupted. */
async function isInUse(version: string, { inUse, isOpen, running }: Situation): Promise<boolean> {
  if (inUse.version !== version || isOpen) return false
  const found = await Promise.all(running.map(runningProcess))
  return found.every((process) => process.version === version)
}

/**
 * A signal ends the update between two steps, never within one.
 * @throws CommandError 'failed' while another update is running.
 */
async function updateAlone(io: Io, work: (interruption: AbortSignal) => Promise<void>): Promise<void> {
  const lock = await takeLock()
  const interruption = new AbortController()
  const interrupt = () => {
    const sentence = 'The update was interrupted. Run it again, or `rsvp rollback`.'
    interruption.abort(new CommandError(exitCodes.interrupted, sentence))
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) io.on(signal, interrupt)
  try {
    await work(interruption.signal)
  } finally {
    for (const signal of signals) io.off(signal, interrupt)
    lock.close()
  }
}

/** Names the sites that were not running, and so were not started. */
function sayStopped({ stopped }: Situation, io: Io): void {
  if (stopped.length === 0) return
  const start = stopped.map((site) => `\`rsvp service install --site ${site}\``).join(', ')
  say(`Still stopped: ${stopped.join(', ')}. ${start} starts them with this release.`, io)
}

/**
 * A socket in a folder that only the updating account can write to. Its file may outlive the process, but then nothing
 * listens on it.
 * @throws CommandError 'failed' while another update is running.
 */
async function takeLock(): Promise<Server> {
  await mkdir(program.folder, { recursive: true })
  const path = join(program.folder, 'update.lock')
  const isHeld = await new Promise<boolean>((resolve) => {
    const probe = connect(path, () => resolve(true)).once('error', () => resolve(false))
    probe.once('connect', () => probe.destroy())
  })
  if (isHeld) throw failure('Another update is running here. Wait until it has ended.')
  await rm(path, { force: true })
  const lock = createServer((socket) => socket.destroy())
  await once(lock.listen(path), 'listening').catch((error) => {
    throw failure(`${path} cannot be created (${errorCodeOf(error)}): use the account that updates.`)
  })
  return lock
}
