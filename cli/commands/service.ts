import { isGuarded, setPassword } from '#db/access/setup.ts'
import { isNew, listSites } from '#db/config/places.ts'
import type { Context } from '../context.ts'
import { failure } from '../exit-code.ts'
import { caddyfile } from '../init/system-files.ts'
import { print, printJson, printRows, say } from '../output/output.ts'
import { readNewPassword } from '../questions.ts'
import { preparations, removals, startService } from '../service/install.ts'
import { findSiteName, layoutOf, nameToInstall, readSettingsOf, type ServiceOptions, stateOf } from '../service/site.ts'
import { carryOut, requireSystemd } from '../service/system.ts'

type InstallOptions = ServiceOptions & { yes?: true; dryRun?: true }

export async function installService(options: InstallOptions, context: Context): Promise<void> {
  if (!options.dryRun) await requireSystemd('install')
  const name = nameToInstall(context.io.env)
  // Everything below is about this site, even if it is the only one.
  context.io.env.RSVP_SITE = name
  const layout = layoutOf(name)
  const steps = await preparations(layout, options)
  // A site on the internet starts only with a password.
  if (options.publicUrl !== undefined) {
    const text = 'Set the password of the first owner, which is asked for.'
    steps.push({ text, work: () => setFirstPassword(context) })
  }
  steps.push(startService(layout))
  if (!(await carryOut(steps, `Install the site ${name}?`, options, context)) || context.quiet) return
  const { PUBLIC_URL: publicUrl, PORT } = await readSettingsOf(name)
  const port = Number(PORT)
  say(`The site ${name} is running at ${publicUrl ?? `http://localhost:${port}`}.`, context.io)
  if (publicUrl === undefined) return
  say('For the proxy in front of it, e.g. in /etc/caddy/Caddyfile:', context.io)
  await print(caddyfile({ publicUrl, port }), context.io)
}

/** Shows every site that runs as a service here, or the one that --site names; fails if one of them is not running. */
export async function listServices({ json }: { json?: true }, { call, io, quiet }: Context): Promise<void> {
  const sites = io.env.RSVP_SITE ? [findSiteName(io.env)] : listSites()
  const states = await Promise.all(sites.map((name) => stateOf(name, call.now)))
  if (json) await printJson(states, io)
  else {
    const rows = states.map(({ site, state, version, address, lastBackup, nextBackup, freeMb }) => {
      return [site, state, version ?? '', address, lastBackup ?? '', nextBackup ?? '', freeMb ?? '']
    })
    await printRows(rows, io)
  }
  if (states.length === 0 && !quiet) say('No site runs as a service here. `rsvp service install` makes one.', io)
  const stopped = states.filter(({ state }) => state !== 'active')
  const sentences = stopped.map(({ site, state }) => {
    const unit = `rsvp@${site}.service`
    return `${unit} is ${state}: \`journalctl --unit ${unit}\` says why.`
  })
  if (sentences.length > 0) throw failure(sentences.join('\n'))
}

/** The data, the backups and the settings stay. */
export async function uninstallService(options: { yes?: true; dryRun?: true }, context: Context): Promise<void> {
  if (!options.dryRun) await requireSystemd('uninstall')
  const name = findSiteName(context.io.env)
  const layout = layoutOf(name)
  const { data, backups } = layout
  if (!(await carryOut(await removals(layout), `Uninstall the site ${name}?`, options, context))) return
  if (!context.quiet) say(`The data is kept in ${data}, and its backups in ${backups}.`, context.io)
}

/** Asked for twice, or read from standard input. */
async function setFirstPassword(context: Context): Promise<void> {
  if (!isNew(context.readConfig().databaseUrl)) {
    await context.openDatabase({ mustExist: true, otherVersion: 'migrate' })
    if (await isGuarded(context.call)) return
  }
  const password = await readNewPassword('Password for /admin, 12 to 128 characters: ', context)
  await context.openDatabase({ mustExist: false })
  await setPassword(password, context.call)
}
