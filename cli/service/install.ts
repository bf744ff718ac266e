import { existsSync } from 'node:fs'
import { chmod, chown, lstat, mkdir, readFile, rename, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { changeEnvFile } from '../init/env-file.ts'
import { giveAll, makeSharedFolder, writeSharedFile } from './files.ts'
import { type Layout, program } from './layout.ts'
import { installProgram } from './program-files.ts'
import { givenSettings, newSettings, readSettings, type ServiceOptions } from './settings.ts'
import { siteFileSteps } from './site-files.ts'
import type { Step } from './step.ts'
import { accountIds, outputOf, runTool } from './system.ts'
import { units } from './units.ts'

/** What is to be done before the site can start. What is there already is left out, so that it can be done again. */
export async function preparations(layout: Layout, options: ServiceOptions): Promise<Step[]> {
  const { account, data, backups } = layout
  const steps = await installProgram()
  if ((await outputOf('id', '--user', account)) === '') {
    steps.push({ text: `Make the account ${account}, which cannot sign in.`, work: () => makeAccount(layout) })
  }
  for (const [folder, holds] of [
    [data, 'the data'],
    [backups, 'its backups'],
  ] as const) {
    if (await belongsTo(account, folder)) continue
    steps.push({ text: `Give ${account} the folder ${folder} for ${holds}.`, work: () => giveFolder(folder, account) })
  }
  const { steps: toSet, values } = await settingsSteps(layout, options)
  steps.push(...toSet)
  for (const [name, text] of Object.entries(units)) {
    const file = join(program.units, name)
    if ((await readFile(file, 'utf8').catch(() => '')) === text) continue
    steps.push({ text: `Write ${file}.`, work: () => writeSharedFile(file, text) })
  }
  return [...steps, ...(await siteFileSteps(layout, values))]
}

/** Starts it, now and with the system, and again where an older version runs: its socket stays open meanwhile. */
export function startService({ name, units: own, socket }: Layout): Step {
  return {
    text: `Start rsvp@${name}, now and whenever the system starts, and see that it makes a backup every night.`,
    work: async () => {
      await runTool('systemctl', 'daemon-reload')
      await runTool('systemctl', 'enable', '--quiet', ...own)
      const isOpen = (await outputOf('systemctl', 'is-active', socket)) !== ''
      // A site that listens by itself, as one before an update may, has to leave the port to the socket.
      if (!isOpen) await runTool('systemctl', 'stop', ...own)
      // systemd refuses what was started often in a short time, e.g. before and after an update.
      await outputOf('systemctl', 'reset-failed', socket, ...own)
      await runTool('systemctl', 'restart', ...own)
    },
  }
}

function makeAccount({ account, data }: Layout): Promise<string> {
  const home = ['--no-create-home', '--home-dir', data, '--shell', '/usr/sbin/nologin']
  return runTool('useradd', '--system', '--user-group', ...home, account)
}

/** With the settings as they will be. */
async function settingsSteps(layout: Layout, options: ServiceOptions) {
  const { account, settings, keptSettings } = layout
  const steps: Step[] = []
  const areKept = !existsSync(settings) && (await isOfRoot(keptSettings))
  const before = existsSync(settings) || areKept ? await readSettings(areKept ? keptSettings : settings) : undefined
  if (areKept) {
    const text = `Take the settings from before: ${keptSettings} becomes ${settings}.`
    steps.push({ text, work: () => moveSettings(keptSettings, settings, account) })
  }
  const values = before === undefined ? await newSettings(options, layout) : givenSettings(options)
  const words = Object.entries(values).map(([name, value]) => `${name}=${value}`)
  if (words.length > 0) {
    const text = `Set ${words.join(', ')} in ${settings}.`
    steps.push({ text, work: () => writeSettings(settings, values, account) })
  }
  return { steps, values: { ...before, ...values } }
}

async function writeSettings(file: string, values: Record<string, string>, account: string): Promise<void> {
  await makeSharedFolder(dirname(file))
  await changeEnvFile(file, values)
  await letRead(file, account)
}

async function moveSettings(from: string, to: string, account: string): Promise<void> {
  await makeSharedFolder(dirname(to))
  await rename(from, to)
  await letRead(to, account)
}

/** Only root changes them; there may be a password or a token in them. */
async function letRead(file: string, account: string): Promise<void> {
  await chown(file, 0, Number(await runTool('id', '--group', account)))
  await chmod(file, 0o640)
}

/** Settings that an uninstallation has kept. Anything else with that name is of the account, and not to be trusted. */
async function isOfRoot(file: string): Promise<boolean> {
  const found = await lstat(file).catch(() => undefined)
  return found?.isFile() === true && found.uid === 0
}

async function belongsTo(account: string, folder: string): Promise<boolean> {
  const owner = await stat(folder).catch(() => undefined)
  return owner !== undefined && String(owner.uid) === (await outputOf('id', '--user', account))
}

/** With all that is in it: data from before may belong to an account that is gone. */
async function giveFolder(folder: string, account: string): Promise<void> {
  const { uid, gid } = await accountIds(account)
  await makeSharedFolder(dirname(folder))
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o700)
  await giveAll(folder, uid, gid)
}
