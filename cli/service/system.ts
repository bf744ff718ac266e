import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, lstat, mkdir, readdir, readlink, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import type { Readable } from 'node:stream'
import type { Context } from '../context.ts'
import { failure } from '../exit-code.ts'
import { print } from '../output/output.ts'
import { confirm } from '../questions.ts'

export type Account = { uid: number; gid: number }

/** One change to the system: what it does, as a sentence for the plan, and the change itself. */
export type Step = { text: string; work: () => Promise<unknown> | unknown }

/**
 * Runs a tool of the system, e.g. `systemctl`, to its end and returns what it printed.
 * @throws CommandError 'failed' with what it said.
 */
export function runTool(tool: string, ...words: string[]): Promise<string> {
  return runToolAs({}, tool, ...words)
}

/** The same as another account: root must not follow links in the folders of an account. */
export async function runToolAs(account: Partial<Account>, tool: string, ...words: string[]): Promise<string> {
  // Ctrl+C must reach only this command, which ends between two steps.
  const refuse = (why: string) => failure(`\`${[tool, ...words].join(' ')}\` failed: ${why}.`)
  const { code, output, said } = await resultOf(() =>
    spawn(tool, words, { ...account, detached: true, stdio: ['ignore', 'pipe', 'pipe'] }),
  ).catch((error) => {
    throw refuse(error.code === 'ENOENT' ? 'it is not installed here' : `it cannot be started (${error.code})`)
  })
  if (code === 0) return output.trim()
  throw refuse(said.trim() || `it ended with ${code}`)
}

/**
 * What a process has printed when it ends, and its exit code, which is null if a signal ended it.
 * @throws if it cannot be started.
 */
export async function resultOf(start: () => ChildProcessByStdio<null, Readable, Readable>) {
  const running = start()
  let [output, said] = ['', '']
  running.stdout.setEncoding('utf8').on('data', (text) => (output += text))
  running.stderr.setEncoding('utf8').on('data', (text) => (said += text))
  const [code] = await once(running, 'close')
  return { code: code as number | null, output, said }
}

/** The output of a tool; empty if it failed, e.g. because there is no such account. */
export function outputOf(tool: string, ...words: string[]): Promise<string> {
  return runTool(tool, ...words).catch(() => '')
}

/** @throws CommandError 'failed' if there is no account of that name. */
export async function accountIds(account: string): Promise<Account> {
  const uid = Number(await runTool('id', '--user', account))
  return { uid, gid: Number(await runTool('id', '--group', account)) }
}

/** @throws CommandError 'failed' without systemd, or if this account is not root. */
export async function requireSystemd(act: string): Promise<void> {
  if (process.platform !== 'linux' || (await outputOf('systemctl', '--version')) === '') {
    const todo = 'Start the site with `rsvp serve`, and see docs/install.md for other ways to keep it running.'
    throw failure(`This system has no systemd. ${todo}`)
  }
  if (process.getuid?.() !== 0) {
    throw failure(`Only root may ${act} a service: run this with sudo.`)
  }
}

/**
 * Prints the plan, asks, and carries it out step by step.
 * @returns false for a dry run.
 * @throws CommandError 'failed' after a no, or if a step fails; earlier steps stay done, and the same command continues
 * from there.
 */
export async function carryOut(
  steps: Step[],
  question: string,
  { yes, dryRun }: { yes?: true; dryRun?: true },
  context: Context,
): Promise<boolean> {
  if (!yes || dryRun) await print(`${steps.map(({ text }, at) => `${at + 1}. ${text}`).join('\n')}\n`, context.io)
  if (dryRun) return false
  if (!yes) await confirm(question, context)
  for (const { text, work } of steps) {
    context.signal.throwIfAborted()
    await work()
    if (!context.quiet) await print(`done  ${text}\n`, context.io)
  }
  return true
}

/** Creates a folder that every account may read, and missing ones above it, whatever the umask. */
export async function makeSharedFolder(folder: string): Promise<void> {
  const topmost = await mkdir(folder, { recursive: true })
  if (topmost === undefined) return
  for (let made = folder; made.length >= topmost.length; made = dirname(made)) await chmod(made, 0o755)
}

/** A file that every account may read, whatever the umask; written completely, or not at all. */
export async function writeSharedFile(file: string, text: string): Promise<void> {
  const unfinished = `${file}.tmp`
  await writeFile(unfinished, text)
  await chmod(unfinished, 0o644)
  await rename(unfinished, file)
}

/** In one step, so that there is no moment without the link. */
export async function replaceLink(link: string, target: string): Promise<void> {
  const unfinished = `${link}.tmp`
  await makeSharedFolder(dirname(link))
  await rm(unfinished, { force: true })
  await symlink(relative(dirname(link), target), unfinished)
  await rename(unfinished, link)
}

/** The absolute path that a link points to; undefined if there is none. */
export async function linkedTo(link: string): Promise<string | undefined> {
  const target = await readlink(link).catch(() => undefined)
  return target && join(dirname(link), target)
}

/** Gives a folder and its contents to an account. The tool follows no link, not even one created meanwhile. */
export async function giveAll(path: string, uid: number, gid: number): Promise<void> {
  await runTool('chown', '--recursive', '--no-dereference', `${uid}:${gid}`, '--', path)
}

/** Lets every account read and run a folder's contents, and only root change them. */
export async function giveToRootToRun(path: string): Promise<void> {
  await giveAll(path, 0, 0)
  await runTool('chmod', '--recursive', 'u=rwX,go=rX', '--', path)
}

/**
 * Finds what in a folder is not a file, a folder or a link within it: a device, a pipe, or a link that points outside,
 * also a hard one.
 */
export async function findOutward(folder: string): Promise<string | undefined> {
  const top = await realpath(folder)
  const names = new Map<number, { path: string; links: number; found: number }>()
  for (const entry of await readdir(top, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isSymbolicLink()) {
      const target = await realpath(path).catch(() => '')
      if (!target.startsWith(top + sep)) return path
    } else if (entry.isFile()) {
      const { ino, nlink } = await lstat(path)
      names.set(ino, { path, links: nlink, found: (names.get(ino)?.found ?? 0) + 1 })
    } else if (!entry.isDirectory()) return path
  }
  return Array.from(names.values()).find(({ links, found }) => links > found)?.path
}
