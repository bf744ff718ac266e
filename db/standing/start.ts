import type { Language } from '#db/language/languages.ts'
import type { Call } from '#db/operation.ts'
import type { Rsvp, StoredRsvp } from '#db/rsvp/schema.ts'
import type { Transaction } from '#db/storage/client.ts'
import { standingRsvps } from './table.ts'

type Begun = Pick<Rsvp, 'name' | 'email' | 'phone' | 'familyMembers' | 'volunteerRoles' | 'remind'> &
  Pick<StoredRsvp, 'serviceDate' | 'suspicion'> & { language?: Language | undefined }

/** Stores what an RSVP says, for every week from its service on; returns the id, which belongs to the RSVP as well. */
export async function startStanding(tx: Transaction, begun: Begun, { now }: Call): Promise<number> {
  const { remind = false, serviceDate: since } = begun
  const moment = now.toISOString()
  const row = { ...begun, remind, since, writtenUntil: since, createdAt: moment, seenAt: moment }
  const [stored] = await tx.insert(standingRsvps).values(row).returning({ id: standingRsvps.id })
  if (stored === undefined) throw new Error('A standing RSVP was not stored.')
  return stored.id
}
