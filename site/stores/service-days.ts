import type { CurrentSchedule } from '#db/schedule/schema.ts'
import { request } from '#site/lib/request.ts'
import { type ServiceDay, serviceDay } from '#site/lib/service-days.ts'

/** The services that an RSVP can be for at this moment; undefined if they cannot be read. */
export async function listServiceDays(): Promise<ServiceDay[] | undefined> {
  const schedule = await readSchedule()
  return schedule && daysOf(schedule)
}

/** The same for a page without them: none while the schedule is only the default, which may not fit the event. */
export async function listConfirmedDays(): Promise<ServiceDay[] | undefined> {
  const schedule = await readSchedule()
  return schedule?.confirmed === false ? [] : schedule && daysOf(schedule)
}

function daysOf({ services }: CurrentSchedule): ServiceDay[] {
  return services.map(({ date }) => serviceDay(date))
}

async function readSchedule(): Promise<CurrentSchedule | undefined> {
  try {
    return await (await request('GET /api/schedule')).json()
  } catch {
    return undefined
  }
}
