import { defaultEvent } from '#db/event/default-event.ts'
import { getEvent } from '#db/event/operations.ts'
import { toPayload } from '#db/event/payload.ts'
import { findEventTranslation } from '#db/event/translations.ts'
import type { Context } from '../../context.ts'
import { printEvent } from '../../output/event-output.ts'

/** Shows the texts of the invitation, as visitors read them. */
export async function run(
  { language, json }: { language?: string; json?: true },
  { call, io }: Context,
): Promise<void> {
  const event = (await getEvent(call)) ?? toPayload(defaultEvent)
  const translated = language === undefined ? undefined : (await findEventTranslation({ language }, call)).texts
  await printEvent({ ...event, ...translated }, json, io)
}
