import type { Call } from '#db/call.ts'
import { getSchedule } from '#db/schedule.ts'
import { changeSchedule } from './change-schedule.ts'

/** Skips one more service, as the administration does. */
export async function skipService({ date, reason }: { date: string; reason?: string }, call: Call) {
  const { skippedDates } = await getSchedule(call)
  return changeSchedule({ skippedDates: [...skippedDates, date], skipReason: reason }, call)
}

/** Holds a skipped service after all. */
export async function unskipService({ date }: { date: string }, call: Call) {
  const { skippedDates } = await getSchedule(call)
  return changeSchedule({ skippedDates: skippedDates.filter((skipped) => skipped !== date) }, call)
}
