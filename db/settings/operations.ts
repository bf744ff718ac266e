import { audited } from '#db/audit/operations.ts'
import { isOpenMode, operation, operationWithoutInput } from '#db/operation.ts'
import { db } from '#db/storage/client.ts'
import { type PublicNames, type Settings, settingsChange } from './schema.ts'
import { storedSettings } from './table.ts'

const columns = { publicNames: storedSettings.publicNames, retentionDays: storedSettings.retentionDays }
const stored = db.select(columns).from(storedSettings).prepare()

/** How much of names visitors see, and how long RSVPs are kept. */
export const getSettings = operationWithoutInput(async () => onlyRow(await stored.all()))

/** Which names this caller is shown: in open mode every visitor sees everything. */
export const getShownNames = operationWithoutInput(
  async (call): Promise<PublicNames> => (isOpenMode(call) ? 'full' : (await getSettings(call)).publicNames),
)

/** Changes one or both; returns both. */
export const changeSettings = operation(settingsChange, async (change, call): Promise<Settings> => {
  const [changed] = await db.batch([
    db.update(storedSettings).set(change).returning(columns),
    audited(call, 'settings changed', settingsText(change)),
  ])
  return onlyRow(changed)
})

/** E.g. `publicNames=counts retentionDays=90`. */
function settingsText(change: Partial<Settings>): string {
  return Object.entries(change)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')
}

function onlyRow([row]: Settings[]): Settings {
  if (row === undefined) throw new Error('The settings are missing from the database.')
  return row
}
