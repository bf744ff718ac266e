import { saveEventTranslation } from '#db/event.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const PUT = endpoint('PUT /api/event/translations/[language]', saveEventTranslation)
