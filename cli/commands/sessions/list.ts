import { listSessions, type Session } from '#db/access/operations.ts'
import { momentText } from '#db/values/moment.ts'
import type { Context } from '../../context.ts'
import { outputKind, print, printJson, printRows } from '../../output/output.ts'

/** Shows who is signed in. */
export async function run(options: { json?: true }, { call, io }: Context): Promise<void> {
  const sessions = await listSessions(call)
  switch (outputKind(options.json, io)) {
    case 'json':
      return printJson(sessions, io)
    case 'lines':
      return printRows(sessions.map(rowOf), io)
    case 'screen': {
      const { drawnTable } = await import('../../ui/drawn-table.tsx')
      return print(
        drawnTable(
          sessions,
          ({ id }) => id,
          [
            { title: 'Id', text: ({ id }) => String(id), least: 4, grow: 0 },
            { title: 'Signed in', text: ({ createdAt }) => momentText(createdAt), least: 22, grow: 1 },
            { title: 'Last used', text: ({ usedAt }) => momentText(usedAt), least: 22, grow: 1 },
            { title: 'Ends', text: ({ endsAt }) => momentText(endsAt), least: 22, grow: 1 },
          ],
          io.stdout.columns,
        ),
        io,
      )
    }
  }
}

function rowOf({ id, createdAt, usedAt, endsAt }: Session): (string | number)[] {
  return [id, createdAt, usedAt, endsAt]
}
