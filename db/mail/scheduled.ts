import type { Call } from '#db/operation.ts'

export async function queueScheduledMail(_call: Call): Promise<void> {}
