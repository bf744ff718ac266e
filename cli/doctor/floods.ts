import { floodText, listFloods } from '#db/audit/flood.ts'
import { momentText } from '#db/values/moment.ts'
import type { Context } from '../context.ts'
import type { Finding } from './finding.ts'

/** Floods from all networks together within the last day, if any. */
export async function examineFloods({ call }: Context): Promise<Finding[]> {
  const floods = await listFloods(call)
  return floods.map(({ of, at }) => ({ name: 'Flood', ok: false, text: floodText(of, momentText(at)) }))
}
