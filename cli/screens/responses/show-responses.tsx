import type { Context } from '../../context.ts'
import { drawScreen } from '../../ui/draw.tsx'
import { ResponsesScreen, type ResponsesScreenProps } from './ResponsesScreen.tsx'

type Props = Omit<ResponsesScreenProps, 'onQuit'>

/** Shows the responses on the whole terminal, until the user quits or, in `rsvp delete`, has deleted. */
export function showResponses(props: Props, { io, signal }: Context): Promise<void> {
  return drawScreen<Props>(ResponsesScreen, props, { io, signal, fullScreen: true })
}
