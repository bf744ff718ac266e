import { existsSync } from 'node:fs'
import { chmod, chown, lstat, mkdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { listSites } from '#db/config/places.ts'
import { changeEnvFile } from '../init/env-file.ts'
import { installProgram } from './release.ts'
import { givenSettings, type Layout, newSettings, program, readSettings, type ServiceOptions } from './site.ts'
import { accountIds, giveAll, makeSharedFolder, outputOf, runTool, type Step, writeSharedFile } from './system.ts'
import { removeTrial } from './trial.ts'
import { removeSiteFiles, siteFileSteps, units } from './units.ts'

/** The steps before the site can start, without those that are done already, so that installing can be repeated. */
export async function preparations(layout: Layout, options: ServiceOptions): Promise<Step[]> {
  const { account, data, backups } = layout
  const steps = await installProgram()
  if ((await outputOf('id', '--user', account)) === '') {
    const home = ['--no-create-home', '--home-dir', data, '--shell', '/usr/sbin/nologin']
    const work = () => runTool('useradd', '--system', '--user-group', ...home, account)
    steps.push({ text: `Create the account ${account}, which cannot sign in.`, work })
  }
  for (const [folder, holds] of Object.entries({ [data]: 'the data', [backups]: 'its backups' })) {
    const owner = await stat(folder).catch(() => undefined)
    if (owner !== undefined && String(owner.uid) === (await outputOf('id', '--user', account))) continue
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

/** Also restarts a site of an older version; its socket stays open meanwhile. */
export function startService({ name, service, timer, socket }: Layout): Step {
  return {
    text: `Start rsvp@${name}, now and whenever the system starts, and back it up every night.`,
    work: async () => {
      await runTool('systemctl', 'daemon-reload')
      await runTool('systemctl', 'enable', '--quiet', service, timer)
      const isOpen = (await outputOf('systemctl', 'is-active', socket)) !== ''
      // A site of an older version may listen by itself, and has to free the port for the socket.
      if (!isOpen) await runTool('systemctl', 'stop', service, timer)
      // systemd refuses units that were started too often in a short time, e.g. before and after an update.
      await outputOf('systemctl', 'reset-failed', socket, service, timer)
      await runTool('systemctl', 'restart', service, timer)
    },
  }
}

/** Also returns the settings as they will be. */
async function settingsSteps(layout: Layout, options: ServiceOptions) {
  const { account, settings, keptSettings } = layout
  const steps: Step[] = []
  const kept = await lstat(keptSettings).catch(() => undefined)
  // Kept by an uninstallation. Anything else of that name belongs to the account, and is not trusted.
  const areKept = !existsSync(settings) && kept?.isFile() === true && kept.uid === 0
  const before = existsSync(settings) || areKept ? await readSettings(areKept ? keptSettings : settings) : undefined
  if (areKept) {
    const work = async () => {
      await makeSharedFolder(dirname(settings))
      await rename(keptSettings, settings)
      await letRead(settings, account)
    }
    steps.push({ text: `Reuse the previous settings: ${keptSettings} becomes ${settings}.`, work })
  }
  const values = before === undefined ? await newSettings(options, layout) : givenSettings(options)
  const words = Object.entries(values).map(([name, value]) => `${name}=${value}`)
  if (words.length > 0) {
    const work = async () => {
      await makeSharedFolder(dirname(settings))
      await changeEnvFile(settings, values)
      await letRead(settings, account)
    }
    steps.push({ text: `Set ${words.join(', ')} in ${settings}.`, work })
  }
  return { steps, values: { ...before, ...values } }
}

/** Only root may change the settings; they may contain a password or a token. */
async function letRead(file: string, account: string): Promise<void> {
  await chown(file, 0, Number(await runTool('id', '--group', account)))
  await chmod(file, 0o640)
}

/** Including its contents: earlier data may belong to an account that no longer exists. */
async function giveFolder(folder: string, account: string): Promise<void> {
  const { uid, gid } = await accountIds(account)
  await makeSharedFolder(dirname(folder))
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o700)
  await giveAll(folder, uid, gid)
}

/** The data, the backups and the settings stay, but only root can read them. */
export async function removals(layout: Layout): Promise<Step[]> {
  const { name, account, data, backups, settings, keptSettings } = layout
  const steps: Step[] = [{ text: `Stop rsvp@${name}, now and for good.`, work: () => stop(layout) }]
  const kept = [data, backups].filter((folder) => existsSync(folder))
  if (kept.length > 0) {
    // A later account may get the uid of this one.
    const work = async () => {
      for (const folder of kept) await giveAll(folder, 0, 0)
    }
    steps.push({ text: `Give ${kept.join(' and ')} to root.`, work })
  }
  if (existsSync(settings)) {
    const work = async () => {
      await rename(settings, keptSettings)
      await chown(keptSettings, 0, 0)
      await chmod(keptSettings, 0o600)
    }
    steps.push({ text: `Keep the settings as ${keptSettings}.`, work })
  }
  if ((await outputOf('id', '--user', account)) !== '') {
    steps.push({ text: `Remove the account ${account}.`, work: () => runTool('userdel', account) })
  }
  const isLast = listSites().every((site) => site === name)
  return isLast ? [...steps, removeUnits(dirname(settings)), removeProgram] : steps
}

async function stop(layout: Layout): Promise<void> {
  const { service, timer, socket, cache } = layout
  await runTool('systemctl', 'disable', '--now', '--quiet', service, timer)
  await outputOf('systemctl', 'stop', socket)
  await rm(cache, { recursive: true, force: true })
  await removeSiteFiles(layout)
  await removeTrial(layout.name)
}

function removeUnits(settingsFolder: string): Step {
  return {
    text: `Remove the units of all sites from ${program.units}.`,
    work: async () => {
      for (const name of Object.keys(units)) await rm(join(program.units, name), { force: true })
      await runTool('systemctl', 'daemon-reload')
      // Fails if it contains anything else, which stays.
      await rmdir(settingsFolder).catch(() => undefined)
    },
  }
}

const removeProgram: Step = {
  text: `Remove the program: ${program.folder} and ${program.command}.`,
  work: async () => {
    await rm(program.command, { force: true })
    await rm(program.folder, { recursive: true, force: true })
  },
}
