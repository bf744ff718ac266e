import type { StoredTranslation } from '#db/event/schema.ts'
import { getEventTranslation, removeEventTranslation, saveEventTranslation } from '#db/event/translations.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'
import { entityTag, translationHeaders } from '#site/server/calls/request-headers.ts'

const reply = ({ texts, revision }: StoredTranslation) => ({ json: texts, headers: { etag: entityTag(revision) } })

export const GET = endpoint('GET /api/event/translations/[language]', getEventTranslation, {
  input: ({ params }) => params,
  reply,
})
export const PUT = endpoint('PUT /api/event/translations/[language]', saveEventTranslation, {
  fromHeaders: translationHeaders,
  reply,
})
export const DELETE = endpoint('DELETE /api/event/translations/[language]', removeEventTranslation, {})
