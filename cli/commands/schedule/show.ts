import { getSchedule } from '#db/schedule/operations.ts'
import type { Context } from '../../context.ts'
import { listContradictions } from '../../schedule/contradictions.ts'
import { printSchedule } from '../../schedule/schedule-output.ts'

/** Shows when services are, and the next ones. */
export async function run(options: { json?: true }, { call, io }: Context): Promise<void> {
  const schedule = await getSchedule(call)
  await printSchedule(schedule, await listContradictions(schedule, call), options.json, io)
}
