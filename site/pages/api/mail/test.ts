import { readConfig } from '#db/config/config.ts'
import { sendTestMail } from '#db/mail/deliver.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'
import { writeAsChurch } from '#site/server/mail/compose.ts'
import { t } from '#site/texts/texts.ts'

const write = (subject: string, sentence: string) => writeAsChurch(t(subject), [t(sentence)])

export const POST = endpoint('POST /api/mail/test', (input, call) => sendTestMail(input, call, readConfig(), write))
