import { listSessions, type Session } from '#db/access/operations.ts'
import type { Context } from '../../context.ts'
import { outputKind, print, printJson, tabSeparated } from '../../output.ts'
import { momentText } from '../../plain-text.ts'

/** Shows who is signed in. */
export async function run(options: { json?: true }, { call }: Context): Promise<void> {
  const sessions = await listSessions(undefined, call)
  switch (outputKind(options.json)) {
    case 'json':
      return printJson(sessions)
    case 'lines':
      return print(sessions.map(lineOf).join(''))
    case 'screen': {
      const { drawnTable } = await import('../../ui/drawn-table.tsx')
      return print(
        drawnTable(sessions, ({ id }) => id, [
          { title: 'Id', text: ({ id }) => String(id), least: 4, grow: 0 },
          { title: 'Signed in', text: ({ createdAt }) => momentText(createdAt), least: 22, grow: 1 },
          { title: 'Last used', text: ({ usedAt }) => momentText(usedAt), least: 22, grow: 1 },
          { title: 'Ends', text: ({ endsAt }) => momentText(endsAt), least: 22, grow: 1 },
        ]),
      )
    }
  }
}

function lineOf({ id, createdAt, usedAt, endsAt }: Session): string {
  return tabSeparated([id, createdAt, usedAt, endsAt])
}
