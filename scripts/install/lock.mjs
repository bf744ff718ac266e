// Lets one process at a time do a piece of work; the others wait until it is done or its process is gone.
import { readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

/** So often a process that works touches its file, in ms. */
const touchedEvery = 10_000
// Longer than the steps in which it cannot, as removing packages: such a file is a leftover whose process number was
// given to somebody else.
const forgottenAfter = 5 * 60_000

export async function withLock(file, work) {
  const isForgotten = watch(file)
  for (let told = false; !take(file, isForgotten); told = true) {
    if (!told) console.error('Waiting for another run that installs or builds here…')
    await wait(200)
  }
  const touching = setInterval(() => touch(file), touchedEvery)
  try {
    return await work()
  } finally {
    clearInterval(touching)
    rmSync(file, { force: true })
  }
}

/**
 * Answers whether nobody has touched a file for long, as far as this process has seen it: when both have slept with the
 * machine, the clock tells nothing.
 */
function watch(file) {
  let touched
  let since = 0
  return () => {
    const { mtimeMs } = statSync(file)
    const now = performance.now()
    if (mtimeMs !== touched) since = now
    touched = mtimeMs
    return now - since > forgottenAfter
  }
}

function touch(file) {
  try {
    utimesSync(file, new Date(), new Date())
  } catch {
    // Somebody has taken it away: the work goes on all the same.
  }
}

function take(file, isForgotten) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
  if (isLeftover(file, isForgotten)) discard(file)
  return false
}

function isLeftover(file, isForgotten) {
  try {
    const age = Date.now() - statSync(file).mtimeMs
    const owner = Number(readFileSync(file, 'utf8'))
    // A file without a number is being written just now, or its writer died doing so.
    return owner ? !isAlive(owner) || isForgotten() : age > 5_000
  } catch {
    return false
  }
}

/** Whether there is a process with this number. */
export function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Renames before deleting: of two processes that both found the leftover, only one can take it away. */
function discard(file) {
  const aside = `${file}.${process.pid}`
  try {
    renameSync(file, aside)
    rmSync(aside)
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
}
