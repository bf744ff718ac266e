import { mkdirSync, readFileSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { run } from '../../scripts/run.mjs'

const SIZE = '64M'
const LOOP_MAJOR = 7

/** A disk image, mounted at a folder. */
export type Disk = { image: string; at: string; remove(): Promise<void> }

/** Creates an empty ext4 disk and mounts it. */
export async function makeDisk(folder: string): Promise<Disk> {
  const image = join(folder, 'disk.img')
  await must('truncate', ['-s', SIZE, image])
  // Without initialization in the background: every write comes from the site, or from ext4 on its behalf.
  await must('mkfs.ext4', ['-q', '-E', 'lazy_itable_init=0,lazy_journal_init=0', image])
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
    await must('cp', ['--sparse=always', image, copy])
    if ((await finishedWrites(at)) === before) return
  }
}

/** Mounts an image beside it. Ext4 recovers an image that was not unmounted, as it does when the power is back. */
export async function mount(image: string): Promise<Disk> {
  const at = `${image}.mounted`
  mkdirSync(at)
  await must('mount', ['-o', 'loop', image, at])
  return {
    image,
    at,
    async remove() {
      await must('umount', [at])
      rmdirSync(at)
      rmSync(image)
    },
  }
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

async function must(command: string, words: string[]): Promise<void> {
  const { code, output } = await run(command, words)
  if (code !== 0) throw new Error(`${command} ${words.join(' ')} failed: ${output}`)
}
