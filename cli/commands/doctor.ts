import type { Context } from '../context.ts'
import type { Finding } from '../doctor/finding.ts'
import { examine } from '../doctor/findings.ts'
import { CommandError, exitCodes } from '../exit-code.ts'
import { outputKind, print, printJson, printRows } from '../output/output.ts'

/** Checks everything that the site depends on. */
export async function run(options: { strict?: true; json?: true }, context: Context): Promise<void> {
  const findings = await examine(context)
  const notable = findings.filter(({ ok, warning }) => !ok || warning)
  const wrong = options.strict ? notable : notable.filter(({ ok }) => !ok)
  const told = context.quiet ? notable : findings
  switch (outputKind(options.json, context.io)) {
    case 'json':
      await printJson(told, context.io)
      break
    case 'lines':
      await printRows(told.map(rowOf), context.io)
      break
    case 'screen': {
      if (told.length === 0) break
      const { drawnFindings } = await import('../screens/Findings.tsx')
      await print(drawnFindings(told, context.io.stdout.columns), context.io)
    }
  }
  if (wrong.length > 0) throw new CommandError(exitCodes.failed, '')
}

function rowOf({ ok, warning, name, text }: Finding): string[] {
  return [warning ? 'warning' : ok ? 'ok' : 'wrong', name, text]
}
