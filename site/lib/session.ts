/** Reads from session storage; empty if there is nothing, or the browser denies access. */
export function readSession(name: string): string {
  try {
    return sessionStorage.getItem(name) ?? ''
  } catch {
    return ''
  }
}

/** Writes to session storage, or removes the key if the text is empty. Does nothing if storage is full or denied. */
export function writeSession(name: string, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(name)
    else sessionStorage.setItem(name, text)
  } catch {}
}

/** A value that stays in its tab (session storage) over a reload, e.g. unsent input. */
export function sessionDraft<Draft>(
  name: string,
  decode: (text: string) => Draft | undefined,
  encode: (draft: Draft) => string = JSON.stringify,
) {
  return {
    keep(draft: Draft): void {
      writeSession(name, encode(draft))
    },
    forget(): void {
      writeSession(name, '')
    },
    /** Ignores what another program has stored under the same key. */
    restore(): Draft | undefined {
      try {
        return decode(readSession(name))
      } catch {
        return undefined
      }
    },
  }
}
