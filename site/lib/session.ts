/** What this tab keeps until it is closed; empty where there is nothing, or the browser keeps nothing for sites. */
export function readSession(name: string): string {
  try {
    return sessionStorage.getItem(name) ?? ''
  } catch {
    return ''
  }
}

/** Keeps a text for this tab; an empty one is forgotten. A browser that is full or forbids it keeps nothing. */
export function writeSession(name: string, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(name)
    else sessionStorage.setItem(name, text)
  } catch {}
}
