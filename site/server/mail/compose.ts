import type { Compose } from '#db/mail/message.ts'

export const compose: Compose = async () => undefined
