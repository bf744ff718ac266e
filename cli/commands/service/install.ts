import { text } from 'node:stream/consumers'
import { firstLine } from '#db/access/at-start.ts'
import { isGuarded, setPassword } from '#db/access/operations.ts'
import { isNew } from '#db/config/places.ts'
import type { Context } from '../../context.ts'
import { caddyfile } from '../../init/system-files.ts'
import { print, say } from '../../output/output.ts'
import { askNewPassword, usablePassword } from '../../questions/ask-password.ts'
import { nameToInstall } from '../../service/find-site-name.ts'
import { preparations, startService } from '../../service/install.ts'
import { layoutOf } from '../../service/layout.ts'
import { readSettingsOf, type ServiceOptions } from '../../service/settings.ts'
import { carryOut, type Step } from '../../service/step.ts'
import { requireSystemd } from '../../service/system.ts'

type Options = ServiceOptions & { yes?: true; dryRun?: true }

/** Makes a site a service of this system. */
export async function run(options: Options, context: Context): Promise<void> {
  if (!options.dryRun) await requireSystemd('install')
  const name = nameToInstall(context.io.env)
  // From here on it is this site, also where it is the only one.
  context.io.env.RSVP_SITE = name
  const layout = layoutOf(name)
  const steps = [...(await preparations(layout, options)), ...passwordSteps(options, context), startService(layout)]
  if (!(await carryOut(steps, `Install the site ${name}?`, options, context)) || context.quiet) return
  const { PUBLIC_URL: publicUrl, PORT } = await readSettingsOf(name)
  const port = Number(PORT)
  say(`The site ${name} is running at ${publicUrl ?? `http://localhost:${port}`}.`, context.io)
  if (publicUrl === undefined) return
  say('For the proxy in front of it, e.g. in /etc/caddy/Caddyfile:', context.io)
  await print(caddyfile({ publicUrl, port }), context.io)
}

/** A site on the internet starts only with a password: asked for twice, or read from standard input. */
function passwordSteps({ publicUrl }: Options, context: Context): Step[] {
  if (publicUrl === undefined) return []
  const text = 'Set the password of the administrator, which is asked for.'
  return [{ text, work: () => setFirstPassword(context) }]
}

async function setFirstPassword(context: Context): Promise<void> {
  const { io } = context
  if (!isNew(context.readConfig().databaseUrl)) {
    await context.openDatabase({ mustExist: true, otherVersion: 'migrate' })
    if (await isGuarded(context.call)) return
  }
  const password = io.stdin.isTTY
    ? await askNewPassword('Password for /admin, 12 to 128 characters: ', context)
    : usablePassword(firstLine(await text(io.stdin)))
  await context.openDatabase({ mustExist: false })
  await setPassword(password, context.call)
}
