import { changeEventTexts } from '#db/event/operations.ts'
import type { EventPayload } from '#db/event/schema.ts'
import type { Context } from '../../context.ts'
import { printEvent } from '../../output/event-output.ts'

/** Changes the texts that are given, and shows all of them. */
export async function run(
  options: Partial<EventPayload> & { json?: true },
  { call, quiet, io }: Context,
): Promise<void> {
  const { json, ...texts } = options
  const { event } = await changeEventTexts(texts, call)
  if (json || !quiet) await printEvent(event, json, io)
}
