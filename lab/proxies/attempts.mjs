// Shared by all checks of the proxies.

export const password = 'only for trying the proxies'
/** Stored in an RSVP, and never shown to a visitor. */
export const secret = 'canary@secret.example'

/** Makes an attempt with each call. @returns a sentence for each that failed. */
export async function findFailures(calls, attempt) {
  const found = []
  for (const call of calls) {
    const wrong = await attempt(call).catch((error) => error.message)
    if (wrong !== undefined) found.push(`${call}: ${wrong}`)
  }
  return found
}
