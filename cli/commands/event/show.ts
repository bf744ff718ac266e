import { defaultEvent } from '#db/event/default-event.ts'
import { getEvent } from '#db/event/operations.ts'
import { toPayload } from '#db/event/payload.ts'
import type { Context } from '../../context.ts'
import { printEvent } from '../../output/event-output.ts'

/** Shows the texts of the invitation, as visitors read them. */
export async function run(options: { json?: true }, { call, io }: Context): Promise<void> {
  await printEvent((await getEvent(call)) ?? toPayload(defaultEvent), options.json, io)
}
