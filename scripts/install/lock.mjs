// Holds a lock file, so that one setup runs at a time. Others wait until its process has finished or is gone.
// No package does this here: it runs before any is installed (docs/decisions/setup-lock.md).
import { readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

/** How often the owner touches its lock file. */
const HEARTBEAT_MS = 10_000
/**
 * Longer than any synchronous step in which the owner cannot touch it, e.g. removing packages. An older lock file is stale,
 * although a process has its id: the system has given the id to another process.
 */
const STALE_AFTER_MS = 5 * 60_000
/** A lock file without a process id is being written right now, or its writer died meanwhile. */
const WRITTEN_WITHIN_MS = 5_000

export async function withLock(file, work) {
  const untouchedFor = watch(file)
  for (let told = false; !take(file, untouchedFor); told = true) {
    if (!told) console.error('Waiting for another run that installs or builds here…')
    await wait(200)
  }
  const heartbeat = setInterval(() => touch(file), HEARTBEAT_MS)
  try {
    return await work()
  } finally {
    clearInterval(heartbeat)
    rmSync(file, { force: true })
  }
}

/**
 * Returns a function that tells for how long no process has touched the file, in ms. It compares what this process itself has
 * seen, on a monotonic clock: after the machine has slept, or where its clock is wrong, the file's age means nothing.
 */
function watch(file) {
  let touched
  let since = 0
  return () => {
    const { mtimeMs } = statSync(file)
    const now = performance.now()
    if (mtimeMs !== touched) since = now
    touched = mtimeMs
    return now - since
  }
}

function touch(file) {
  try {
    utimesSync(file, new Date(), new Date())
  } catch {
    // Another process has removed the file. The work goes on all the same.
  }
}

function take(file, untouchedFor) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
  if (isStale(file, untouchedFor)) discard(file)
  return false
}

function isStale(file, untouchedFor) {
  try {
    const untouchedMs = untouchedFor()
    const owner = Number(readFileSync(file, 'utf8'))
    return owner ? !isAlive(owner) || untouchedMs > STALE_AFTER_MS : untouchedMs > WRITTEN_WITHIN_MS
  } catch {
    return false
  }
}

export function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Renames before deleting: of two processes that find the stale file, only one can remove it. */
function discard(file) {
  const aside = `${file}.${process.pid}`
  try {
    renameSync(file, aside)
    rmSync(aside)
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
}
