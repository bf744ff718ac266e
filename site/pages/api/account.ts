import type { APIContext } from 'astro'
import { changeAccount, getAccount } from '#db/access/account.ts'
import { accountChange } from '#db/access/schema.ts'
import { assertProven } from '#site/server/access/access.ts'
import { endpoint, endpointWithoutInput, inputOf } from '#site/server/calls/endpoint.ts'

export const GET = endpointWithoutInput('GET /api/account', getAccount, {})
export const PATCH = endpoint('PATCH /api/account', changeAccount, { input: checkedChange })

/** With what someone signs in is changed with a proof; what comes by mail needs none. */
async function checkedChange(context: APIContext): Promise<unknown> {
  const input = await inputOf(context)
  const { mail: _, ...change } = accountChange.safeParse(input).data ?? {}
  if (Object.keys(change).length > 0) assertProven(context.locals.call)
  return input
}
