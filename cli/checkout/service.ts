import { realpath } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { projectRoot } from '#db/config/places.ts'
import { runningProcess } from '../service/state.ts'
import { outputOf, runTool } from '../service/system.ts'
import { watch } from '../service/update/assert-well.ts'
import { examineSite } from '../service/update/examine-site.ts'

/** As long as systemd waits for a start. */
const START_TIMEOUT_MS = 90_000
const POLL_INTERVAL_MS = 500

export type Service = { name: string; unit: string; isRunning: boolean }

/** The service of that name, if it runs the site of this checkout. */
export async function findService(name: string): Promise<Service | undefined> {
  const unit = `${name.replace(/\.service$/, '')}.service`
  const shown = await outputOf('systemctl', 'show', unit, '--property=WorkingDirectory,ActiveState')
  const folder = /^WorkingDirectory=(.+)$/m.exec(shown)?.[1] ?? ''
  if ((await realpath(folder).catch(() => '')) !== (await realpath(projectRoot))) return undefined
  return { name, unit, isRunning: /^ActiveState=(active|activating)$/m.test(shown) }
}

/**
 * Restarts the site, and watches it.
 * @throws Error that says what is wrong, as the end of a sentence.
 */
export async function restart({ unit }: Service, address: string): Promise<void> {
  await runTool('systemctl', 'restart', unit)
  const { id } = await runningProcess(unit)
  // systemd takes it for started as soon as there is a process.
  for (const end = Date.now() + START_TIMEOUT_MS; ; await delay(POLL_INTERVAL_MS)) {
    if ((await runningProcess(unit)).id !== id) throw new Error('it ended after its start')
    const failure = await examineSite(address).catch((error: unknown) => error)
    if (failure === undefined) break
    if (Date.now() > end) throw failure
  }
  await watch(address, unit, id)
}
