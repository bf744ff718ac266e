import { changeAccount, getAccount } from '#db/access/account.ts'
import { accountChange } from '#db/values/access.ts'
import { assertProven } from '#site/server/access/access.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const GET = endpoint('GET /api/account', (_, call) => getAccount(call))

/** Changes of the name, the email or the password need a proof; a change of what comes by mail needs none. */
export const PATCH = endpoint('PATCH /api/account', (input, call) => {
  const { mail: _, ...change } = accountChange.safeParse(input).data ?? {}
  if (Object.keys(change).length > 0) assertProven(call)
  return changeAccount(input, call)
})
