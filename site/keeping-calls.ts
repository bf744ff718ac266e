import * as z from 'zod/mini'
import { backups } from '#db/backup/schema.ts'
import { erasureRequest } from '#db/rsvp/schema.ts'
import type { CallDescription, Method } from './call-description.ts'

/** The part of the call table about keeping: for how long, erasing for good, and backups. */
export const keepingCalls = {
  'POST /api/rsvps/erase': {
    summary:
      'How many RSVPs were sent with an email address, the deleted ones included. With `confirmed` it erases them, for good. Older backups may still hold them.',
    access: 'owner',
    needsProof: true,
    input: erasureRequest,
    reply: z.object({ count: z.int() }),
  },
  'GET /api/backups': {
    summary: 'The last backup, and when the site makes the `next` one.',
    access: 'owner',
    reply: backups,
  },
  'POST /api/backups': {
    summary: 'Makes a backup in the folder of the nightly ones, and removes none. 404 if no folder is set.',
    access: 'owner',
    status: 201,
    reply: backups,
  },
  'POST /api/backups/download': {
    summary: 'A backup of this moment.',
    access: 'owner',
    needsProof: true,
    content: 'application/octet-stream',
  },
} as const satisfies Record<`${Method} /api/${string}`, CallDescription>
