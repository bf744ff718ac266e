import type { Context } from '../context.ts'
import { newResponses } from '../new-responses.ts'
import { outputKind, print } from '../output.ts'
import { escapedJson } from '../plain-text.ts'
import { responseLine } from '../responses.ts'

/** Shows answers as they come in, until it is interrupted. */
export async function run(options: { json?: true }, context: Context): Promise<void> {
  const answers = newResponses(context)
  const kind = outputKind(options.json)
  if (kind === 'screen') {
    const { showWatch } = await import('../screens/WatchScreen.tsx')
    return showWatch(answers, context.signal)
  }
  for await (const response of answers) {
    await print(kind === 'json' ? `${escapedJson(JSON.stringify(response))}\n` : responseLine(response))
  }
}
