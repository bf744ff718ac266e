import type { Context } from '../../context.ts'
import { draw } from '../../ui/draw.tsx'
import { ResponsesScreen, type ResponsesScreenProps } from './ResponsesScreen.tsx'

/** Shows the responses on the whole terminal, until the user quits or, in `rsvp delete`, has deleted. */
export async function showResponses(
  props: Omit<ResponsesScreenProps, 'onDone'>,
  { io, signal }: Context,
): Promise<void> {
  await draw<void>((done) => <ResponsesScreen {...props} onDone={done} />, { io, signal, fullScreen: true })
}
