import { readConfig } from '#db/config/config.ts'
import { sendTestMail } from '#db/mail/deliver.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'
import { t } from '#site/texts/texts.ts'

export const POST = endpoint('POST /api/mail/test', (input, call) => sendTestMail(input, call, readConfig(), t))
