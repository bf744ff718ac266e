/** The storage of the tab or of the device. */
type Place = 'sessionStorage' | 'localStorage'

/** Returns '' if there is nothing, or the browser denies access. */
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
    /** Returns undefined if there is nothing, or something that another program has stored. */
    restore(): Kept | undefined {
      try {
        return decode(readText(name, place))
      } catch {
        return undefined
      }
    },
  }
}
