import { listEveryVolunteerRole } from '#db/volunteer-role/operations.ts'
import type { StoredVolunteerRole } from '#db/volunteer-role/schema.ts'
import type { Context } from '../../context.ts'
import { printOutput } from '../../output/output.ts'
import { displayed } from '../../output/plain-text.ts'
import type { Column } from '../../ui/fit-columns.ts'

const columns: Column<StoredVolunteerRole>[] = [
  { title: 'Id', text: ({ id }) => String(id), least: 4, grow: 0 },
  { title: 'Role', text: ({ name }) => displayed(name), least: 20, grow: 1 },
  { title: 'State', text: ({ retired }) => stateText(retired), least: 8, grow: 0 },
  { title: 'Needed', text: neededText, least: 6, grow: 0 },
]

/** Shows every role, also the retired ones. */
export async function run(options: { json?: true }, { call, io }: Context): Promise<void> {
  const roles = await listEveryVolunteerRole(call)
  const screen = async (width: number) => {
    const { renderTable } = await import('../../ui/render-table.tsx')
    return renderTable(roles, ({ id }) => id, columns, width)
  }
  return printOutput(
    options.json,
    {
      value: roles,
      rows: roles.map((role) => [role.id, role.name, stateText(role.retired), neededText(role)]),
      screen,
    },
    io,
  )
}

/** As `--needed` takes it. */
function neededText({ needed }: StoredVolunteerRole): string {
  return needed === null ? 'none' : String(needed)
}

function stateText(retired: boolean): string {
  return retired ? 'retired' : 'offered'
}
