import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'

const LOOP_MAJOR = 7
const execute = promisify(execFile)

/** A disk image, mounted at a folder. */
export type Disk = { image: string; at: string }

/** Creates an empty ext4 disk and mounts it. */
export async function makeDisk(folder: string): Promise<Disk> {
  const image = join(folder, 'disk.img')
  await execute('truncate', ['-s', '64M', image])
  // Without initialization in the background: every write comes from the site, or from ext4 on its behalf.
  await execute('mkfs.ext4', ['-q', '-E', 'lazy_itable_init=0,lazy_journal_init=0', image])
  return mount(image)
}

/**
 * Copies the disk as it would be if the power failed now: the image holds what ext4 has written to it, and not what
 * ext4 still keeps in memory. The site must be stopped. If the disk was written to meanwhile, the copy mixes two
 * moments and is taken again.
 */
export async function copyDisk({ image, at }: Disk, copy: string): Promise<void> {
  for (;;) {
    const before = await finishedWrites(at)
    await execute('cp', ['--sparse=always', image, copy])
    if ((await finishedWrites(at)) === before) return
  }
}

/** Mounts an image beside it. Ext4 recovers an image that was not unmounted, as it does when the power is back. */
export async function mount(image: string): Promise<Disk> {
  const at = `${image}.mounted`
  mkdirSync(at)
  await execute('mount', ['-o', 'loop', image, at])
  return { image, at }
}

export async function remove({ image, at }: Disk): Promise<void> {
  await execute('umount', [at])
  rmdirSync(at)
  rmSync(image)
}

/** How many writes the device under a folder has completed, once none is in flight. */
async function finishedWrites(at: string): Promise<number> {
  const { dev } = statSync(at)
  // Major and minor number, as glibc computes them for small numbers.
  if (dev >> 8 !== LOOP_MAJOR) throw new Error(`${at} is not on a disk image.`)
  for (;;) {
    // See Documentation/block/stat.rst of Linux: the fifth number counts writes, the ninth those in flight.
    const numbers = readFileSync(`/sys/dev/block/${LOOP_MAJOR}:${dev & 0xff}/stat`, 'utf8').match(/\d+/g) ?? []
    if (numbers[8] === '0') return Number(numbers[4])
    await wait(1)
  }
}
