import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Readable, type Writable } from 'node:stream'
import type { APIContext } from 'astro'
import { recordAct } from '#db/audit/operations.ts'
import { findCountsMade, findLastSent, getLastDrills } from '#db/backup/copies/history.ts'
import { nextBackup } from '#db/backup/due.ts'
import { madeSubject } from '#db/backup/names.ts'
import { checkBackupFolder, createBackup, getLastBackup, openCopy } from '#db/backup/operations.ts'
import { type Backups, backupDownload } from '#db/backup/schema.ts'
import { readConfig } from '#db/config/config.ts'
import { fileOf, projectRoot } from '#db/config/places.ts'
import { UserError } from '#db/errors.ts'
import { operation, operationWithoutInput } from '#db/operation.ts'
import { cached } from '#site/server/metrics/readings.ts'
import { siteCall } from '#site/server/site-call.ts'

const launcher = join(projectRoot, 'cli', 'launcher.cjs')
/** A network disk that is gone blocks every access until it is back. */
const FOLDER_TIMEOUT_MS = 5000

/** Not more often at a time: each access to a disk that hangs blocks one of Node's few threads for good. */
const readFolder = cached(lookIntoFolder, 0, FOLDER_TIMEOUT_MS)

/** One of each at a time, because each copies the whole database. */
const running = new Set<keyof typeof busy>()
const busy = {
  make: 'Another backup is being made just now. Try again once that has ended.',
  download: 'Another backup is being downloaded just now. Try again once that has ended.',
}

/** The last backup, the next one, the last drill, and copies at another place. */
export const getBackups = operationWithoutInput(async ({ now }): Promise<Backups> => {
  const { backupFolder, backupTime, copies } = readConfig()
  const unresponsive = `${backupFolder} does not answer: look at its disk, or choose another folder for backups.`
  const { last, trouble } = (await readFolder()) ?? { last: null, trouble: unresponsive }
  const next = nextBackup(last ? new Date(last.at) : undefined, now, backupTime).toISOString()
  const drill = (await getLastDrills()).last
  const sent = await findLastSent(copies)
  return {
    ...{ folder: backupFolder ?? null, trouble, last },
    next: backupFolder === undefined ? null : next,
    drill: drill === undefined ? null : { at: drill.at, passed: drill.passed },
    copies: copies.place === undefined ? null : { place: copies.place.title, at: sent?.at ?? null },
  }
})

/** Makes a backup. Older ones stay, so that several in a row replace none. */
export const makeBackup = operationWithoutInput(async (call): Promise<Backups> => {
  const { backupFolder: folder, databaseUrl } = readConfig()
  if (folder === undefined) {
    throw new UserError('not-found', 'There is no folder for backups: set BACKUP_DIR, then start the site again.')
  }
  begin('make')
  await createBackup({ folder, database: fileOf(databaseUrl) }, call).finally(() => running.delete('make'))
  return getBackups(call)
})

/** Begins to encrypt a copy of the database. The first bytes are there, so what may fail early has not failed. */
export const openDownload = operation(backupDownload, async ({ passphrase }, call) => {
  begin('download')
  const { child, counts, ended } = await encryptCopy(passphrase).catch((error) => {
    running.delete('download')
    throw error
  })
  const chunks = outputOf(child, ended)
  const name = `rsvp-${call.now.toISOString().slice(0, 10)}.db.age`
  try {
    const first = await chunks.next()
    await recordAct({ action: 'backup downloaded', subject: madeSubject(name, counts) }, call)
    return { name, child, first, chunks }
  } catch (error) {
    // It would wait for a reader for ever, and the next download for it.
    child.kill('SIGKILL')
    throw error
  }
})

/** Sends it while it is being encrypted. */
export function replyWithDownload(
  download: Awaited<ReturnType<typeof openDownload>>,
  { locals }: APIContext,
): Response {
  const { name, child, first, chunks } = download
  function stop(): void {
    child.stdout.destroy()
    // Not SIGTERM, after which a command would still write the rest.
    child.kill('SIGKILL')
  }
  if (locals.reply.destroyed) {
    // The client has disconnected already.
    stop()
    return new Response(null)
  }
  locals.reply.once('close', stop)
  locals.isStreamed = true
  const body = Readable.from(
    (async function* () {
      if (!first.done) yield first.value
      yield* chunks
    })(),
  )
  return new Response(Readable.toWeb(body) as ReadableStream, {
    headers: {
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'no-store',
    },
  })
}

function begin(work: keyof typeof busy): void {
  if (running.has(work)) throw new UserError('overloaded', busy[work])
  running.add(work)
}

type Encrypting = ChildProcessByStdio<Writable, Readable, null>

/** Starts `rsvp encrypt` on a copy. It ends when its output is closed, and with it the right to the next download. */
async function encryptCopy(passphrase: string) {
  const { file, counts } = await openCopy(readConfig().databaseUrl)
  try {
    const stdio = ['pipe', 'pipe', 'ignore', file.fd] as const
    const child = spawn(process.execPath, [launcher, 'encrypt'], { stdio: [...stdio], env: {} }) as Encrypting
    // Not `close`, which waits until its output has been read.
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
    ended.then(() => running.delete('download'))
    await once(child, 'spawn')
    child.stdin.once('error', () => {}).end(passphrase)
    return { child, counts, ended }
  } finally {
    await file.close()
  }
}

async function* outputOf(child: Encrypting, ended: Promise<number | null>): AsyncGenerator<Uint8Array> {
  yield* child.stdout
  // What is sent so far would look complete.
  const code = await ended
  if (code !== 0) throw new Error(`The encryption of a backup ended with ${code}.`)
}

async function lookIntoFolder(): Promise<Pick<Backups, 'last' | 'trouble'>> {
  const { backupFolder: folder, databaseUrl } = readConfig()
  const trouble = (folder === undefined ? undefined : await checkBackupFolder(folder)) ?? null
  const last = await getLastBackup({ folder }, siteCall())
  // A backup of a libSQL server may be on another machine.
  if (last === undefined || !(last.present || fileOf(databaseUrl) === undefined)) return { last: null, trouble }
  const { at, file } = last
  return { last: { at, file, responses: (await findCountsMade(file))?.responses ?? null }, trouble }
}
