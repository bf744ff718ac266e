import * as z from 'zod/mini'
import { prayerChange, shownPrayer } from '#db/prayer/schema.ts'
import type { CallDescription, Method } from './call-description.ts'

/** The part of the call table about what a household says beside whether it comes. */
export const weeklyCalls = {
  'GET /api/prayers': {
    summary:
      'The prayer requests that the caller may read, the newest service first. 403 for administrators who read none; whom an owner lets read them has nothing to do with the role.',
    access: 'reader',
    reply: z.array(shownPrayer),
  },
  'PATCH /api/prayers/[id]': {
    summary: 'Says whether someone has prayed, or should visit the household.',
    access: 'reader',
    input: z.omit(z.object(prayerChange.shape), { id: true }),
    reply: shownPrayer,
  },
} as const satisfies Record<`${Method} /api/${string}`, CallDescription>
