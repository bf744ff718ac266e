import { shownTimeZone } from '#db/schedule/read-schedule.ts'
import type { Context } from '../../context.ts'
import { drawScreen } from '../../ui/draw.tsx'
import { ResponsesScreen, type ResponsesScreenProps } from './ResponsesScreen.tsx'

type Props = Omit<ResponsesScreenProps, 'onQuit' | 'zone'>

/** Shows the responses on the whole terminal, until the user quits or, in `rsvp delete`, has deleted. */
export async function showResponses(props: Props, { io, signal }: Context): Promise<void> {
  const zone = await shownTimeZone()
  await drawScreen(ResponsesScreen, { ...props, zone }, { io, signal, fullScreen: true })
}
