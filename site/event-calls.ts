import * as z from 'zod/mini'
import { eventLanguages, eventPayload, namedLanguage, translatedTexts } from '#db/event/schema.ts'
import type { CallDescription, Method } from './call-description.ts'

export const eventCalls = {
  'GET /api/event': {
    summary:
      'The event, without those of its optional texts `mapLink`, `contact` and `whatToExpect` that are empty; `null` while none is stored. Its revision is the `ETag`.',
    access: 'public',
    status: 200,
    reply: z.nullable(eventPayload),
  },
  'POST /api/event': {
    summary:
      'Stores the event. Without `eventTitle`, `mapLink`, `contact` or `whatToExpect` the stored one stays; an empty one of the last three is removed.',
    access: 'administrator',
    input: z.partial(eventPayload),
    headers: {
      'If-None-Match': '`*` stores only a first event, else 412',
      'If-Match': 'changes only the texts that are sent, and only of that revision, else 412',
    },
    status: 200,
    reply: eventPayload,
  },
  'GET /api/event/translations': {
    summary: 'In which `language` the event itself is written, and in which others there is any text of it.',
    access: 'public',
    status: 200,
    reply: eventLanguages,
  },
  'PATCH /api/event/translations': {
    summary: 'Says in which `language` the event itself is written. 400 while it is translated into that one.',
    access: 'administrator',
    input: namedLanguage,
    status: 200,
    reply: eventLanguages,
  },
  'GET /api/event/translations/[language]': {
    summary:
      'The texts of the event in one language: `en`, `es`, `fr`, `pt`, `de`, `ko` or `ar`. In place of an empty one visitors read that of the event. Its revision is the `ETag`. 404 where there is none.',
    access: 'public',
    status: 200,
    reply: translatedTexts,
  },
  'PUT /api/event/translations/[language]': {
    summary:
      'Stores them in place of those there are. A text that is left out is empty; one at least is not. 400 for the language of the event itself.',
    access: 'administrator',
    input: translatedTexts,
    headers: {
      'If-None-Match': '`*` stores only a first translation, else 412',
      'If-Match': 'replaces only that revision, else 412',
    },
    status: 200,
    reply: translatedTexts,
  },
  'DELETE /api/event/translations/[language]': {
    summary: 'Removes them: visitors read the event itself again.',
    access: 'administrator',
    status: 204,
  },
} as const satisfies Record<`${Method} /api/event${string}`, CallDescription>
