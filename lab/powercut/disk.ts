import { mkdirSync, readFileSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { run } from '../../scripts/run.mjs'

const SIZE = '64M'
const LOOP_MAJOR = 7
/** Nothing of it is made later in the background: what is written comes from the site, or from ext4 on its behalf. */
const formatting = ['-q', '-E', 'lazy_itable_init=0,lazy_journal_init=0']

/** A disk in a file, mounted at a folder. */
export type Disk = { image: string; at: string; remove(): Promise<void> }

/** An empty disk with ext4, mounted. */
export async function makeDisk(folder: string): Promise<Disk> {
  const image = join(folder, 'disk.img')
  await must('truncate', ['-s', SIZE, image])
  await must('mkfs.ext4', [...formatting, image])
  return mount(image)
}

/**
 * The disk as it would be found if the power were cut now: only what ext4 has handed to it is in the image, and what
 * ext4 still keeps in memory is lost. The writer must stand still. A copy during which something was still written would
 * show two moments at once: then another one is taken, and `again` counts how often.
 */
export async function copyDisk({ image, at }: Disk, copy: string): Promise<{ again: number }> {
  for (let again = 0; ; again++) {
    const before = await finishedWrites(at)
    await must('cp', ['--sparse=always', image, copy])
    if ((await finishedWrites(at)) === before) return { again }
  }
}

/** Beside its image. If it was not unmounted, ext4 recovers what it can, as it does when the power is back. */
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

/** How many writes the device under a folder has done, once none is under way. */
async function finishedWrites(at: string): Promise<number> {
  const { dev } = statSync(at)
  // As in glibc's gnu_dev_major and gnu_dev_minor, for numbers as small as these are.
  if (dev >> 8 !== LOOP_MAJOR) throw new Error(`${at} is not on a disk image.`)
  for (;;) {
    // See Documentation/block/stat.rst of Linux: the fifth number counts writes, the ninth those under way.
    const numbers = readFileSync(`/sys/dev/block/${LOOP_MAJOR}:${dev & 0xff}/stat`, 'utf8')
      .trim()
      .split(/\s+/)
      .map(Number)
    if (numbers[8] === 0) return numbers[4] ?? 0
    await wait(1)
  }
}

async function must(command: string, words: string[]): Promise<void> {
  const { code, output } = await run(command, words)
  if (code !== 0) throw new Error(`${command} ${words.join(' ')} failed: ${output}`)
}
