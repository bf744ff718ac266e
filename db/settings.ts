import { getTableColumns } from 'drizzle-orm'
import { db, type Transaction, transaction } from '#db/storage/client.ts'
import { storedSettings } from '#db/tables/invitation.ts'
import { type PublicNames, type Settings, settingsChange } from '#db/values/settings.ts'
import { audit } from './audit.ts'
import { type Call, isOpenMode, parseInput } from './call.ts'

const { id: _, purgedAt: __, checkedAt: ___, ...columns } = getTableColumns(storedSettings)

export async function getSettings() {
  return onlyRow(await settings.all())
}

const settings = db.select(columns).from(storedSettings).prepare()

/** How this caller sees names. In open mode every visitor sees everything. */
export async function getShownNames(call: Call): Promise<PublicNames> {
  return isOpenMode(call) ? 'full' : (await getSettings()).publicNames
}

/** A change of how long responses are kept also confirms that the clock, by which they are removed, is right. */
export async function changeSettings(input: unknown, call: Call) {
  const change = parseInput(settingsChange, input)
  return transaction(async (tx): Promise<Settings> => {
    const texts = Object.entries(change).map(([name, value]) => `${name}=${value}`)
    await audit(tx, call, 'settings changed', texts.join(' '))
    if (change.retentionDays !== undefined) await storePurge(tx, call.now)
    return onlyRow(await tx.update(storedSettings).set(change).returning(columns))
  })
}

export async function storePurge(tx: Transaction, now: Date): Promise<void> {
  await tx.update(storedSettings).set({ purgedAt: now.toISOString() })
}

function onlyRow([row]: Settings[]): Settings {
  if (row === undefined) throw new Error('The settings are missing from the database.')
  return row
}
