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
