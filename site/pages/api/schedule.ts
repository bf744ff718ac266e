import { changeSchedule } from '#db/rsvp/change-schedule.ts'
import { getSchedule } from '#db/schedule.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const GET = endpoint('GET /api/schedule', (_, call) => getSchedule(call))

export const PATCH = endpoint('PATCH /api/schedule', changeSchedule)
