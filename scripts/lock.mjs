// Lets one process at a time do a piece of work; the others wait until it is done or its process is gone.
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

// No install or build takes that long: such a file is a leftover whose process number was given to somebody else.
const forgottenAfter = 20 * 60_000

export async function withLock(file, work) {
  for (let told = false; !take(file); told = true) {
    if (!told) console.error('Waiting for another run that installs or builds here…')
    await wait(200)
  }
  try {
    return await work()
  } finally {
    rmSync(file, { force: true })
  }
}

function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
  if (isLeftover(file)) discard(file)
  return false
}

function isLeftover(file) {
  try {
    const age = Date.now() - statSync(file).mtimeMs
    const owner = Number(readFileSync(file, 'utf8'))
    // A file without a number is being written just now, or its writer died doing so.
    return age > forgottenAfter || (owner ? !isAlive(owner) : age > 5_000)
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
