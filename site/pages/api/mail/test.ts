import type * as z from 'zod/mini'
import { readConfig } from '#db/config/config.ts'
import { sendTestMail } from '#db/mail/operations.ts'
import type { testMail } from '#db/mail/schema.ts'
import type { Operation } from '#db/operation.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'
import { said } from '#site/texts/said.ts'

const send: Operation<void, z.input<typeof testMail>> = (to, call) => sendTestMail(to, call, readConfig().mail, said)

export const POST = endpoint('POST /api/mail/test', send, {})
