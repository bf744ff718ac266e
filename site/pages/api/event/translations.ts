import { changeEventLanguage, getEventLanguages } from '#db/event.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const GET = endpoint('GET /api/event/translations', getEventLanguages)

export const PATCH = endpoint('PATCH /api/event/translations', changeEventLanguage)
