import type { Context } from '../../context.ts'
import { CommandError, exitCodes } from '../../exit-code.ts'
import { printJson, printRows } from '../../output/output.ts'
import { findSiteName } from '../../service/find-site-name.ts'
import { stateOf } from '../../service/state.ts'

/** Shows how the service of a site is doing and where everything is; fails where it is not running. */
export async function run({ json }: { json?: true }, { call, io }: Context): Promise<void> {
  const state = await stateOf(findSiteName(io.env), call.now)
  if (json) await printJson(state, io)
  else
    await printRows(
      Object.entries(state).map(([name, value]) => [name, value ?? '']),
      io,
    )
  if (state.state === 'active') return
  const unit = `rsvp@${state.site}.service`
  throw new CommandError(exitCodes.failed, `${unit} is ${state.state}: \`journalctl --unit ${unit}\` says why.`)
}
