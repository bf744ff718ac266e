/** That of the tab or that of the device. */
type Place = 'sessionStorage' | 'localStorage'

/** Empty if there is nothing, or the browser denies access. */
export function readText(name: string, place: Place = 'sessionStorage'): string {
  try {
    return globalThis[place].getItem(name) ?? ''
  } catch {
    return ''
  }
}

/** Removes the key if the text is empty. Does nothing if the storage is full or denied. */
export function writeText(name: string, text: string, place: Place = 'sessionStorage'): void {
  try {
    if (text === '') globalThis[place].removeItem(name)
    else globalThis[place].setItem(name, text)
  } catch {}
}

/** A value that survives a reload, e.g. unsent input. */
export function keptIn<Kept>(place: Place, name: string, decode: (text: string) => Kept | undefined = JSON.parse) {
  return {
    keep(value: Kept): void {
      writeText(name, JSON.stringify(value), place)
    },
    forget(): void {
      writeText(name, '', place)
    },
    /** Ignores what another program has stored under the same key. */
    restore(): Kept | undefined {
      try {
        return decode(readText(name, place))
      } catch {
        return undefined
      }
    },
  }
}
