import { type Call, operationWithoutInput } from '#db/call.ts'

export function siteCall(): Call {
  return { now: new Date(), role: 'owner', actor: 'site' }
}

/** Runs a part of what the site does from time to time, e.g. reads rows, with the errors of an operation. */
export function asOperation<Output>(run: () => Promise<Output>): Promise<Output> {
  return operationWithoutInput(run)(siteCall())
}
