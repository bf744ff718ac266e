import { changeChurch } from '#db/church/operations.ts'
import type { Context } from '../../context.ts'
import { CommandError, exitCodes } from '../../exit-code.ts'
import { printChurch } from '../../output/church-output.ts'

type Options = { name?: string; accent?: string; alt?: string; json?: true }

/** Changes what is given, and shows all of it. */
export async function run({ name, accent, alt, json }: Options, { call, quiet, io }: Context): Promise<void> {
  const change = {
    ...(name !== undefined && { name }),
    ...(accent !== undefined && { accent: /^(none)?$/.test(accent) ? null : accent }),
    ...(alt !== undefined && { pictureAlt: alt }),
  }
  if (Object.keys(change).length === 0) {
    throw new CommandError(exitCodes.usage, 'Say what to change, e.g. `rsvp church set --name "Grace Church"`.')
  }
  const church = await changeChurch(change, call)
  if (json || !quiet) await printChurch(church, json, io)
}
