import { listEveryVolunteerRole } from '#db/volunteer-role/operations.ts'
import type { Context } from '../../context.ts'
import { outputKind, print, printJson, printRows } from '../../output/output.ts'
import { displayed } from '../../output/plain-text.ts'

/** Shows every role, also the retired ones. */
export async function run(options: { json?: true }, { call, io }: Context): Promise<void> {
  const roles = await listEveryVolunteerRole(call)
  switch (outputKind(options.json, io)) {
    case 'json':
      return printJson(roles, io)
    case 'lines':
      return printRows(
        roles.map(({ id, name, retired }) => [id, name, stateText(retired)]),
        io,
      )
    case 'screen': {
      const { drawnTable } = await import('../../ui/drawn-table.tsx')
      return print(
        drawnTable(
          roles,
          ({ id }) => id,
          [
            { title: 'Id', text: ({ id }) => String(id), least: 4, grow: 0 },
            { title: 'Role', text: ({ name }) => displayed(name), least: 20, grow: 1 },
            { title: 'State', text: ({ retired }) => stateText(retired), least: 8, grow: 0 },
          ],
          io.stdout.columns,
        ),
        io,
      )
    }
  }
}

function stateText(retired: boolean): string {
  return retired ? 'retired' : 'offered'
}
