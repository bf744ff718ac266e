import { checkSettings } from '#db/config/config.ts'
import type { Context } from '../../context.ts'
import { CommandError, exitCodes } from '../../exit-code.ts'
import { printJson, printRows } from '../../output/output.ts'
import { findSiteName } from '../../service/find-site-name.ts'
import { layoutOf } from '../../service/layout.ts'
import { versionInUse } from '../../service/program-files.ts'
import { readSettingsOf } from '../../service/settings.ts'
import { ask } from '../../service/system.ts'

/** Shows how the service of a site is doing and where everything is; fails where it is not running. */
export async function run({ json }: { json?: true }, { io }: Context): Promise<void> {
  const name = findSiteName(io.env)
  const { data, backups, settings } = layoutOf(name)
  const unit = `rsvp@${name}.service`
  const state = (await ask('systemctl', 'show', unit, '--property=ActiveState', '--value')) || 'unknown'
  const since = await ask('systemctl', 'show', unit, '--property=ActiveEnterTimestamp', '--value')
  const nextBackup = await ask(
    'systemctl',
    'show',
    `rsvp-backup@${name}.timer`,
    '--property=NextElapseUSecRealtime',
    '--value',
  )
  const { PUBLIC_URL, PORT } = checkSettings(await readSettingsOf(name))
  const found = {
    site: name,
    state,
    since,
    version: (await versionInUse()) ?? '',
    address: PUBLIC_URL ?? `http://localhost:${PORT}`,
    settings,
    data,
    backups,
    nextBackup,
  }
  if (json) await printJson(found, io)
  else await printRows(Object.entries(found), io)
  if (state === 'active') return
  throw new CommandError(exitCodes.failed, `${unit} is ${state}: \`journalctl --unit ${unit}\` says why.`)
}
