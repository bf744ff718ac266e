import type { APIRoute } from 'astro'
import { UserError } from '#db/values/errors.ts'
import { problemResponse } from '#site/server/problem.ts'

/** Every other address below `/api`. */
export const ALL: APIRoute = () =>
  problemResponse(new UserError('not-found', 'There is no such call. Check the address.'))
