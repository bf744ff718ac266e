import type { Context } from '../context.ts'
import { CommandError, exitCodes } from '../exit-code.ts'
import { examine } from '../findings.ts'
import { outputKind, print, printJson, tabSeparated } from '../output.ts'

/** Looks at everything that the site stands on. */
export async function run(options: { json?: true }, context: Context): Promise<void> {
  const findings = await examine(context)
  const wrong = findings.filter(({ ok }) => !ok)
  const told = context.quiet ? wrong : findings
  switch (outputKind(options.json)) {
    case 'json':
      await printJson(told)
      break
    case 'lines':
      await print(told.map(({ ok, name, text }) => tabSeparated([ok ? 'ok' : 'wrong', name, text])).join(''))
      break
    case 'screen': {
      if (told.length === 0) break
      const { drawnFindings } = await import('../screens/Findings.tsx')
      await print(drawnFindings(told))
    }
  }
  if (wrong.length > 0) throw new CommandError(exitCodes.failed, '')
}
