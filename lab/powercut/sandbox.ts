import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../../scripts/run.mjs'

const EXIT_INTERRUPTED = 130

/** Linux namespaces for mounts and processes: mounts disappear with the last process, however it ends. */
const namespace = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc']
const trial =
  'cd "$0" && truncate -s 16M trial && mkfs.ext4 -q trial && mkdir mounted && mount -o loop trial mounted && umount mounted && rm -r trial mounted'

/**
 * Runs this program again with `--inside FOLDER`, in its own namespaces: nothing that it mounts or starts outlives it, not
 * even after kill -9. Returns its exit code, or the reason why the namespaces cannot be created here.
 */
export async function runInside(): Promise<number | string> {
  if (process.platform !== 'linux') return `it needs Linux, and this is ${process.platform}`
  if (process.getuid?.() !== 0) return 'it mounts disk images, which only root may'
  const folder = mkdtempSync(join(tmpdir(), 'rsvp-powercut-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const tried = await run('unshare', [...namespace, 'sh', '-c', trial, folder])
  if (tried.code !== 0) return `disk images cannot be mounted here (${tried.output.trim().split('\n').at(-1)})`

  const again = ['env', `TMPDIR=${folder}`, process.execPath, ...process.argv.slice(1), '--inside', folder]
  const child = spawn('unshare', [...namespace, ...again], { stdio: ['pipe', 'inherit', 'inherit'] })
  // It ends when its standard input does, so it cannot outlive this process.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.stdin.end())
  const [code] = await once(child, 'close')
  return code ?? 1
}

/**
 * Ends this process, and with it the namespaces, when its parent ends. A parent that was killed removes nothing, so the
 * disk images are removed here.
 */
export function endWithStarter(folder: string): void {
  process.stdin.resume().on('end', () => {
    const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())
    for (const { name } of files) rmSync(join(folder, name))
    process.exit(EXIT_INTERRUPTED)
  })
}
