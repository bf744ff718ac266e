/** The storage of the tab or of the device. */
type StorageArea = 'sessionStorage' | 'localStorage'

/** Returns '' if there is nothing, or the browser denies access. */
export function readText(name: string, area: StorageArea = 'sessionStorage'): string {
  try {
    return globalThis[area].getItem(name) ?? ''
  } catch {
    return ''
  }
}

/** Removes the key if the text is empty. Does nothing if the storage is full or denied. */
export function writeText(name: string, text: string, area: StorageArea = 'sessionStorage'): void {
  try {
    if (text === '') globalThis[area].removeItem(name)
    else globalThis[area].setItem(name, text)
  } catch {}
}

/** A value that survives a reload, e.g. unsent input. */
export function keptIn<Kept>(area: StorageArea, name: string, decode: (text: string) => Kept | undefined = JSON.parse) {
  return {
    keep(value: Kept): void {
      writeText(name, JSON.stringify(value), area)
    },
    forget(): void {
      writeText(name, '', area)
    },
    /** Returns undefined if there is nothing, or something that another program has stored. */
    restore(): Kept | undefined {
      try {
        return decode(readText(name, area))
      } catch {
        return undefined
      }
    },
  }
}
