// What all checks of the proxies share.

export const password = 'only for trying the proxies'
/** Whatever a stranger gets to see of an answer, never this. */
export const secret = 'canary@secret.example'

/** Tries each, and says which one went wrong. */
export async function tried(calls, attempt) {
  const found = []
  for (const call of calls) {
    const wrong = await attempt(call).catch((error) => error.message)
    if (wrong !== undefined) found.push(`${call}: ${wrong}`)
  }
  return found
}
