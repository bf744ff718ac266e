import type { Context } from '../context.ts'
import type { Finding } from '../doctor/finding.ts'
import { examine } from '../doctor/findings.ts'
import { CommandError, exitCodes } from '../exit-code.ts'
import { printOutput } from '../output/output.ts'

/** Checks everything that the site depends on. */
export async function run(options: { strict?: true; json?: true }, context: Context): Promise<void> {
  const findings = await examine(context)
  const notable = findings.filter(({ ok, warning }) => !ok || warning)
  const wrong = options.strict ? notable : notable.filter(({ ok }) => !ok)
  const told = context.quiet ? notable : findings
  const screen = async (width: number) => {
    if (told.length === 0) return ''
    const { renderFindings } = await import('../screens/Findings.tsx')
    return renderFindings(told, width)
  }
  await printOutput(options.json, { value: told, rows: told.map(rowOf), screen }, context.io)
  if (wrong.length > 0) throw new CommandError(exitCodes.failed, '')
}

function rowOf({ ok, warning, name, text }: Finding): string[] {
  return [warning ? 'warning' : ok ? 'ok' : 'wrong', name, text]
}
