import { lookup } from 'node:dns/promises'
import { stat } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import type { FastifyInstance } from 'fastify'
import { applyPassword, exposedBy, givenPassword, isGuarded, openModeRefusal } from '#db/access/setup.ts'
import { checkBackupFolder, missingFolder } from '#db/backup/create.ts'
import { listBackups, newestOf } from '#db/backup/names.ts'
import { type Config, findUnknownSettings, readSettings } from '#db/config/config.ts'
import { fileOf, isNew, quoteForShell, rsvpCommand } from '#db/config/places.ts'
import { checkHealth } from '#db/health.ts'
import { openDatabase } from '#db/open.ts'
import { closeDatabase, openedDatabase } from '#db/storage/client.ts'
import { errorCodeOf, isOutage, UserError } from '#db/values/errors.ts'
import { overridable } from '#db/values/test-override.ts'
import { isLoopback } from '#db/values/url.ts'
import { followMode, followPublicUrl, type PublicUrl } from './access/site-state.ts'
import { createFront } from './front/front.ts'
import { log, logBug } from './log.ts'
import { keepBackedUp, keepMaintained, keepStandingWritten } from './maintenance.ts'
import { siteCall } from './program.ts'

/** Exit code for invalid settings (sysexits.h, EX_CONFIG): a service manager should not retry. */
const EXIT_CONFIGURATION = 78
/** Exit code for temporary failures, e.g. a port in use: a service manager should retry. */
const EXIT_FAILED = 1
/** Exit code after a bug (sysexits.h, EX_SOFTWARE). */
const EXIT_BUG = 70
/** Access to a missing network disk blocks until the disk is back. The site starts without it. */
const FOLDER_TIMEOUT_MS = 5000
/** How long a start with a first page takes at most. */
const START_MS = 1000
/** How long requests in flight may take to arrive and be served. */
const DRAIN_TIMEOUT_MS = overridable('DRAIN_TIMEOUT_MS', 8_000)
/** Until the process ends in any case; a service manager would kill it soon after. */
const EXIT_TIMEOUT_MS = DRAIN_TIMEOUT_MS + 2_000
/** Exit code when a client got no reply. */
const EXIT_NOT_SERVED = 1

try {
  await start(readSettings())
} catch (error) {
  if (error instanceof UserError) {
    process.stderr.write(`${error.message}\n`)
    process.exit(error.code === 'configuration' ? EXIT_CONFIGURATION : EXIT_FAILED)
  }
  logBug(error, 'start')
  process.exit(EXIT_BUG)
}

async function start(config: Config): Promise<void> {
  log.level = config.logLevel
  const password = await givenPassword(config)
  // A new database has no password, so open mode is refused before the database is created.
  const isFirst = isNew(config.databaseUrl)
  if (password === undefined && isFirst) refuseOpenMode(config)
  const { databaseAuthToken: authToken, backupFolder } = config
  // May refuse to start, so also before the database is created: it would not be new at the next start.
  const noBackups = backupFolder === undefined ? [] : await troubleWithBackups(backupFolder, isFirst)
  const otherVersion = 'migrate'
  await openDatabase(config.databaseUrl, { authToken, serving: true, otherVersion, backupFolder })
  await setGivenPassword(password)
  const guarded = await isGuarded()
  if (!guarded) refuseOpenMode(config)
  const lost = isFirst && noBackups.length === 0 ? await findLostDatabase(backupFolder) : []
  for (const warning of [...(await findProblems(config)), ...noBackups, ...lost]) {
    process.stderr.write(`${warning}\n`)
  }
  const mode = followMode(guarded)
  const publicUrl = followPublicUrl(config.publicUrl)
  await publicUrl.refresh()
  const front = await createFront(config, mode, publicUrl, () => openedDatabase().changes())

  const stopping = new AbortController()
  const { signal } = stopping
  const work = Promise.all([
    keepMaintained(config, signal),
    keepBackedUp(config, signal),
    keepStandingWritten(signal),
    sendMail(config, publicUrl, signal),
  ])
  const stop = createStop(front, async () => {
    stopping.abort()
    await work
    await closeDatabase()
  })
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => stop(0))
  // After a bug the state of the process is unknown. It finishes its requests, and a service manager restarts it.
  process.on('uncaughtException', (error) => {
    logBug(error, 'process')
    stop(EXIT_BUG)
  })
  await startListening(front, config)
  const addresses = addressesOf(front, config.host, publicUrl.current())
  process.stdout.write(`The RSVP site is ready at ${addresses.join(' and ')}\n`)
  if (!guarded) sayHowToGuard(addresses, config)
  // Under load, V8 keeps doubling its space for short-lived objects. This keeps the size that it has after the start.
  // Not earlier, because V8 rejects code that was cached with other flags.
  setTimeout(() => setFlagsFromString('--semi-space-growth-factor=1'), START_MS).unref()
}

/** Loads the code that sends mail only if a mail server is set. */
async function sendMail({ mail }: Config, publicUrl: PublicUrl, signal: AbortSignal): Promise<void> {
  if (mail === undefined) return
  const { keepSending } = await import('./mail/keep-sending.ts')
  await keepSending(mail, publicUrl, signal)
}

function refuseOpenMode(config: Config): void {
  const refused = openModeRefusal(config)
  if (refused !== undefined) throw new UserError('configuration', refused)
}

/** Without a password in the settings, that of an earlier start stays, as an administrator's own. */
async function setGivenPassword(password: string | undefined): Promise<void> {
  try {
    if ((await applyPassword(password, siteCall())) || password === undefined) return
    process.stderr.write(
      'ADMIN_PASSWORD is not used: this site has administrators with passwords of their own. Remove it from the settings.\n',
    )
  } catch (error) {
    // The site also starts with a database that can only be read.
    if (password !== undefined || !isOutage(error)) throw error
  }
}

/** Only a browser on this computer can guard the site. */
function sayHowToGuard(addresses: string[], config: Config): void {
  const how = exposedBy(config) === undefined ? `open ${addresses.at(-1)}/guard` : `run \`${rsvpCommand} password\``
  process.stdout.write(`To guard it, ${how} on this computer.\n`)
}

/** Finds problems that do not prevent a start. Each is a sentence that says what to do. */
async function findProblems({ databaseUrl }: Config): Promise<string[]> {
  return [...findUnknownSettings(), ...(await troubleWriting()), ...(await troubleHiding(fileOf(databaseUrl)))]
}

async function troubleWriting(): Promise<string[]> {
  try {
    await checkHealth(siteCall())
    return []
  } catch (error) {
    if (!isOutage(error)) throw error
    return [`Nothing can be stored: ${error.message}`]
  }
}

/** A file that others can read belongs to another account, or its file system has no permissions: the site restricts its own. */
async function troubleHiding(file: string | undefined): Promise<string[]> {
  if (file === undefined || process.platform === 'win32') return []
  const { mode } = await stat(file)
  if ((mode & 0o077) === 0) return []
  return [
    `Other accounts can read the database. Run as the account that it belongs to: chmod 600 '${file}'. Where the file system has no permissions, mount it with umask=077.`,
  ]
}

/** @throws UserError 'configuration' if the folder is missing at the first start. Later, its disk may come back. */
async function troubleWithBackups(folder: string, isFirst: boolean): Promise<string[]> {
  const unresponsive = `There will be no backups. ${folder} does not answer: look at its disk, or name another.`
  return Promise.race([troubleIn(folder, isFirst), delay(FOLDER_TIMEOUT_MS, [unresponsive], { ref: false })])
}

async function troubleIn(folder: string, isFirst: boolean): Promise<string[]> {
  const trouble = await checkBackupFolder(folder)
  if (isFirst && trouble === missingFolder(folder)) throw new UserError('configuration', trouble)
  return trouble === undefined ? [] : [`There will be no backups. ${trouble}`]
}

/** Warns of a new database beside old backups, because backups of the new database would replace them in time. */
async function findLostDatabase(folder = ''): Promise<string[]> {
  const last = newestOf(await listBackups(folder), new Date())
  if (last === undefined) return []
  const todo = `If that was lost, stop the site and run: ${rsvpCommand} backup restore ${quoteForShell(last)}`
  return [`The database is new and empty, but there are backups of another one. ${todo}`]
}

/**
 * Returns a function that stops the server: it accepts no more connections, serves every request in flight, closes the
 * database, and ends the process with the first exit code it was given.
 */
function createStop(front: FastifyInstance, closeDatabase: () => Promise<void>): (exitCode: number) => void {
  let isStopping = false
  const connections = new Set<Socket>()
  front.server.on('connection', (socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  front.addHook('onSend', async (_request, reply) => {
    if (isStopping) reply.header('connection', 'close')
  })
  // A terminal or service manager signals the whole process group, and npm signals too: only the first counts.
  return (exitCode) => {
    if (isStopping) return
    isStopping = true
    stop(exitCode)
  }

  async function stop(exitCode: number): Promise<void> {
    // While a server closes, Node no longer times out requests that arrive in part.
    setTimeout(() => front.server.closeAllConnections(), DRAIN_TIMEOUT_MS).unref()
    setTimeout(() => process.exit(exitCode || EXIT_NOT_SERVED), EXIT_TIMEOUT_MS).unref()
    // Connections that a browser opened in advance do not count as idle to Node.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
    await front.close()
    await closeDatabase()
    process.exit(exitCode)
  }
}

async function startListening(front: FastifyInstance, { host, port }: Config): Promise<void> {
  try {
    // Fastify would open a server for each address of localhost, and `createStop` would stop only one.
    const { address } = host === 'localhost' ? await lookup(host) : { address: host }
    await front.listen({ host: address, port })
  } catch (error) {
    const code = errorCodeOf(error)
    throw new UserError(
      code === 'EADDRINUSE' ? 'unavailable' : 'configuration',
      `Cannot listen on ${host}, port ${port} (${code}). Choose another PORT or HOST, or stop what uses it.`,
    )
  }
}

/** The addresses of the site: the public address, or those that the host stands for. */
function addressesOf(front: FastifyInstance, host: string, publicUrl: string | undefined): string[] {
  if (publicUrl !== undefined) return [publicUrl]
  const address = front.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : ''
  return namesOf(host).map((name) => `http://${name.includes(':') ? `[${name}]` : name}:${port}`)
}

function namesOf(host: string): string[] {
  if (isLoopback(host)) return ['localhost']
  if (host !== '0.0.0.0' && host !== '::') return [host]
  const inNetwork = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
  return ['localhost', ...inNetwork.map(({ address }) => address)]
}
