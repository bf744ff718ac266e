import type { APIRoute } from 'astro'
import { UserError } from '#db/errors.ts'
import { problemResponse } from '#site/server/problem.ts'

export const ALL: APIRoute = () =>
  problemResponse(new UserError('not-found', 'There is no such call. Check the address.'))
