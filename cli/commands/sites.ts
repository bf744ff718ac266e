import { listSites } from '#db/config/places.ts'
import type { Context } from '../context.ts'
import { CommandError, exitCodes } from '../exit-code.ts'
import { printJson, printRows, say } from '../output/output.ts'
import { type SiteState, stateOf } from '../service/state.ts'

/** Shows every site that runs as a service here; fails where one of them does not run. */
export async function run({ json }: { json?: true }, { call, io, quiet }: Context): Promise<void> {
  const states = await Promise.all(listSites().map((name) => stateOf(name, call.now)))
  if (json) await printJson(states, io)
  else await printRows(states.map(rowOf), io)
  if (states.length === 0 && !quiet) say('No site runs as a service here. `rsvp service install` makes one.', io)
  const stopped = states.filter(({ state }) => state !== 'active').map(({ site, state }) => `${site} is ${state}`)
  if (stopped.length > 0)
    throw new CommandError(exitCodes.failed, `${stopped.join(', ')}: see \`rsvp service status\`.`)
}

/** Name, state, version, address, last backup, next one, MB that are free. */
function rowOf({ site, state, version, address, lastBackup, nextBackup, freeMb }: SiteState): (string | number)[] {
  return [site, state, version ?? '', address, lastBackup ?? '', nextBackup ?? '', freeMb ?? '']
}
