import { floodText, listFloods } from '#db/access/floods.ts'
import { shownTimeZone } from '#db/schedule/read-schedule.ts'
import { formatMoment } from '#db/values/dates.ts'
import type { Context } from '../context.ts'
import type { Finding } from './finding.ts'

/** A finding for each flood of the last day: more RSVPs or sign-ins than people send, from all networks together. */
export async function examineFloods({ call }: Context): Promise<Finding[]> {
  const floods = await listFloods(call)
  const zone = await shownTimeZone()
  return floods.map(({ kind, at }) => ({ name: 'Flood', ok: false, text: floodText(kind, formatMoment(at, zone)) }))
}
