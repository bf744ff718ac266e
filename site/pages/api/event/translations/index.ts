import { changeEventLanguage, getEventLanguages } from '#db/event/translations.ts'
import { endpoint, endpointWithoutInput } from '#site/server/calls/endpoint.ts'

export const GET = endpointWithoutInput('GET /api/event/translations', getEventLanguages, {})
export const PATCH = endpoint('PATCH /api/event/translations', changeEventLanguage, {})
